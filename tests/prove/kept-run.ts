import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { projectRoot } from '#tools/project.ts'
import type { Size } from './proof.ts'
import type { ProofResult } from './report.ts'

/** A run with what it has found so far: a whole one takes hours, and a machine may stop. */
export type KeptRun = {
  /** What is run from now on. */
  size: Size
  seed: number
  results: (Omit<ProofResult, 'proof'> & { name: string })[]
}

const FILE = join(projectRoot, '.cache/proof.json')

export function beginRun(run: Omit<KeptRun, 'results'>): KeptRun {
  return { ...run, results: [] }
}

/** Throws if there is none. Its results may be of other commits and sizes: each names its own. */
export function resumeRun(): KeptRun {
  const run = JSON.parse(readFileSync(FILE, 'utf8')) as KeptRun
  const results = run.results.map((result) => ({ ...result, at: new Date(result.at) }))
  return { ...run, results }
}

export function keepResult(run: KeptRun, { proof, ...result }: ProofResult): void {
  run.results = run.results.filter(({ name }) => name !== proof.name)
  run.results.push({ ...result, name: proof.name })
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify(run))
}
