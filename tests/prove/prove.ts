/**
 * `npm run prove`: tries and measures what is promised of speed, faults and bad input, and prints
 * one report, beside limits and peers. Exits with 1 where something failed that must never fail, or
 * a figure missed its bar.
 *
 *     npm run prove                            as much as a release is judged by
 *     npm run prove -- --short                 less than ten minutes; only a failure counts
 *     npm run prove -- --long                  several times as much
 *     npm run prove -- --only purchases,fuzz --seed 7
 *     npm run prove -- --write                 and puts the report into docs/proof.md
 *     npm run prove -- --resume                goes on with a run that was interrupted: with all
 *                                              that it lacks, or with what `--only` names, measured
 *                                              again, in its size or in one that is named
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { ensureBuilt } from '#tools/build.ts'
import { projectRoot } from '#tools/project.ts'
import type { PartSummary } from '#tools/testing/test-parts.ts'
import { describeLoad, describeMachine } from './machine.ts'
import type { Finding, Proof, ProofScope, Size } from './proof.ts'
import { proofs } from './proofs.ts'
import { beginRun, type KeptRun, keepResult, resumeRun } from './kept-run.ts'
import { countAssessments, durationOf, type ProofResult, toLine, toMarkdown } from './report.ts'

const SEED_BITS = 31

const { values: chosen } = parseArgs({
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    whole: { type: 'boolean' },
    only: { type: 'string' },
    seed: { type: 'string' },
    write: { type: 'boolean' },
    resume: { type: 'boolean' },
  },
})
// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await prove()

async function prove(): Promise<number> {
  if (!ensureBuilt(['web app', 'server'])) return 1
  const run = chosen.resume ? resumeRun() : beginRun({ size: 'whole', seed: chooseSeed() })
  run.size = chosenSize() ?? run.size
  const { size, seed } = run
  say(`A ${size} run on ${describeMachine()}. Seed ${seed}.`)
  const startedAt = performance.now()
  const results = await runProofs(run)
  const counts = countAssessments(results)
  const seconds = (performance.now() - startedAt) / 1000
  const markdown = toMarkdown({ seed, machine: describeMachine(), results })
  if (chosen.write) writeFileSync(join(projectRoot, 'docs/proof.md'), markdown)
  // A short run measures too little for a figure to be judged by it.
  const judged = countAssessments(results.filter((result) => result.size !== 'short'))
  const countsAsFailed = counts.failed + judged.missed
  // Where `npm test` wants to be told.
  const summaryFile = process.env['TEST_SUMMARY_FILE']
  if (summaryFile !== undefined) {
    const passed = Object.values(counts).reduce((sum, count) => sum + count, 0) - countsAsFailed
    const failures = results.flatMap(({ proof, findings }) =>
      findings
        .filter(({ assessment }) => assessment === 'failed')
        .map(({ promise, seen }) => ({ file: proof.name, name: promise, fault: seen })),
    )
    const summary: PartSummary = { passed, failed: countsAsFailed, skipped: 0, failures }
    writeFileSync(summaryFile, JSON.stringify(summary))
  }
  say(
    `${counts.held} held, ${counts.missed} missed their bar, ${counts.failed} failed, ` +
      `${counts['not judged']} not judged, in ${Math.round(seconds)} s. Seed ${seed}.`,
  )
  return countsAsFailed > 0 ? 1 : 0
}

function chosenSize(): Size | undefined {
  return (['short', 'whole', 'long'] as const).find((size) => chosen[size])
}

function chooseSeed(): number {
  return chosen.seed === undefined ? randomInt(2 ** SEED_BITS) : Number(chosen.seed)
}

/** Runs what is asked for, and returns it with what was kept. */
async function runProofs(run: KeptRun): Promise<ProofResult[]> {
  const wanted = chooseProofs()
  const keptOf = (proof: Proof) => run.results.find(({ name }) => name === proof.name)
  // Naming a proof that has run measures it again.
  const due = proofs.filter(
    (proof) => wanted.includes(proof) && (keptOf(proof) === undefined || chosen.only !== undefined),
  )
  const results = new Map<Proof, ProofResult>()
  const runOne = async (proof: Proof, lanes = 1) => {
    const named = (line: string) => say(lanes === 1 ? line : `${proof.name}: ${line.trim()}`)
    const result = await runProof(proof, { size: run.size, seed: run.seed, say: named })
    keepResult(run, result)
    results.set(proof, result)
  }
  // A short run judges no figures, and faults are mostly waited for: two share a machine.
  const isBesideOthers = ({ kind }: Proof) => run.size === 'short' && kind !== 'speed'
  for (const proof of due) if (!isBesideOthers(proof)) await runOne(proof)
  await mapWithConcurrency(due.filter(isBesideOthers), 2, (proof) => runOne(proof, 2))
  return proofs.flatMap((proof) => {
    const kept = keptOf(proof)
    return results.get(proof) ?? (kept === undefined ? [] : { ...kept, proof })
  })
}

async function runProof(proof: Proof, scope: ProofScope): Promise<ProofResult> {
  const commit = readCommit()
  const loadBefore = describeLoad()
  const at = new Date()
  const startedAt = performance.now()
  scope.say(`\n${proof.title} (--only ${proof.name}), load ${loadBefore}`)
  const findings = await proof.run(scope).catch((error: unknown): Finding[] => [
    {
      promise: `${proof.title} can be tried`,
      seen: error instanceof Error ? (error.stack ?? error.message) : String(error),
      bar: 'no error',
      assessment: 'failed',
    },
  ])
  for (const finding of findings) scope.say(toLine(finding))
  const seconds = (performance.now() - startedAt) / 1000
  scope.say(`  took ${durationOf(seconds)}`)
  return { proof, commit, size: scope.size, findings, at, loadBefore, seconds }
}

function chooseProofs(): readonly Proof[] {
  if (chosen.only === undefined) return proofs
  const names = chosen.only.split(',')
  const unknown = names.filter((name) => !proofs.some((proof) => proof.name === name))
  if (unknown.length > 0) {
    const known = proofs.map(({ name }) => name).join(', ')
    throw new Error(`There is no proof ${unknown.join(', ')}. They are: ${known}.`)
  }
  return proofs.filter(({ name }) => names.includes(name))
}

function readCommit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? ' with changes' : '')
  } catch {
    return 'unknown'
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
