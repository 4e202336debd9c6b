/**
 * `npm test`: gets what the tests need (a browser, a real PostgreSQL, the built web app), runs
 * every part, and ends with one line, `N passed, N failed`. A part that could not run is a failure.
 * A few files with a failure run once more, alone; what passes then is named above the sums.
 *
 *     npm test -- --only unit,api
 *     npm test -- --only e2e tests/e2e/account/login.test.ts
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureBuilt } from '#tools/build.ts'
import { missingPrograms, provideChainNodes } from './chain-nodes.ts'
import { provideChromium } from './chromium.ts'
import { projectEnvironment, projectRoot } from '#tools/project.ts'
import { providePostgres, type PostgresServer } from './start-postgres.ts'
import { type PlaywrightReport, summaryOfPlaywright } from './playwright-summary.ts'
import { afterRunningAlone, filesToRunAlone } from './run-alone.ts'
import {
  chooseTests,
  type PartSummary,
  type TestChoice,
  type TestFailure,
  type TestPart,
  testParts,
} from './test-parts.ts'

/** An error that nobody awaited, or a failed setup: it belongs to no test, but still counts. */
const outsideTests = 'outside of any test'

type Summaries = Partial<Record<TestPart | typeof outsideTests, PartSummary>>

const folder = mkdtempSync(join(tmpdir(), 'presale-tests-'))
const environment: NodeJS.ProcessEnv = {
  ...projectEnvironment,
  // Servers are started hundreds of times: their imports are compiled only once.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
}
let postgres: PostgresServer | undefined
let isInterrupted = false
const passedOnlyAlone: string[] = []

// The test runners get Ctrl-C themselves and end; this process stays to clean up after them.
process.on('SIGINT', () => {
  isInterrupted = true
})

try {
  const choice = chooseTests(process.argv.slice(2))
  await provide(choice.parts)
  const summaries = await runParts(choice)
  await runFailedAlone(summaries)
  process.exitCode = report(choice.parts, summaries)
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : fault)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function provide(parts: readonly TestPart[]): Promise<void> {
  if (parts.includes('e2e') || parts.includes('prove')) {
    environment['CHROMIUM_PATH'] = await provideChromium()
    if (!ensureBuilt(['web app', 'server']))
      throw new Error('The browser tests need the product, which does not build.')
  }
  if (parts.includes('rails')) await provideChainNodes()
  if (parts.some((part) => part === 'api-postgres' || part === 'rails' || part === 'e2e')) {
    postgres = await providePostgres()
    environment['TEST_DATABASE_URL'] = postgres.url
  }
}

async function runParts({ parts, files }: TestChoice): Promise<Summaries> {
  const summaries: Summaries = {}
  const ofVitest = parts.filter(isOfVitest)
  if (ofVitest.length > 0) Object.assign(summaries, await runVitest(ofVitest, files))
  if (parts.includes('e2e') && !isInterrupted) summaries.e2e = await runPlaywright(files)
  if (parts.includes('prove') && !isInterrupted) {
    const { file, hasFailed } = await run('node', ['tests/prove/prove.ts', '--short'])
    const summary = readSummary<PartSummary>(file) ?? noTests()
    if (hasFailed && summary.failed === 0) summary.failed = 1
    summaries.prove = summary
  }
  return summaries
}

async function runVitest(
  parts: readonly TestPart[],
  files: readonly string[],
  ...options: string[]
): Promise<Summaries> {
  const projects = parts.flatMap((part) => ['--project', part])
  const { file, hasFailed } = await run('vitest', ['run', ...projects, ...options, ...files])
  const summaries = readSummary<Summaries>(file) ?? {}
  const sawNoFailure = !Object.values(summaries).some((summary) => summary.failed > 0)
  if (hasFailed && sawNoFailure) summaries[outsideTests] = { ...noTests(), failed: 1 }
  return summaries
}

async function runPlaywright(files: readonly string[], ...options: string[]): Promise<PartSummary> {
  const { file, hasFailed } = await run('playwright', ['test', ...options, ...files])
  const written = readSummary<PlaywrightReport>(file)
  const summary = written ? summaryOfPlaywright(written) : noTests()
  if (hasFailed && summary.failed === 0) summary.failed = 1
  return summary
}

/** Runs the failed files once more, alone, and takes back the failures that pass then. */
async function runFailedAlone(summaries: Summaries): Promise<void> {
  for (const part of testParts) {
    const first = summaries[part]
    const files = first && part !== 'prove' ? filesToRunAlone(first) : []
    if (!first || files.length === 0 || isInterrupted) continue
    console.log(`\nWhat failed of ${part} runs once more, alone.`)
    const alone = await (part === 'e2e'
      ? runPlaywright(files, '--workers', '1')
      : runVitest([part], files, '--maxWorkers', '1').then((again) => again[part]))
    const { summary, passedAlone } = afterRunningAlone(first, alone ?? noTests())
    summaries[part] = summary
    passedOnlyAlone.push(...passedAlone.map((failure) => `${part}: ${describeFailure(failure)}`))
  }
}

function describeFailure({ file, name, fault }: TestFailure): string {
  return `${file} ${name === '' ? 'does not load' : `› ${name}`}: ${fault}`
}

function isOfVitest(part: TestPart): boolean {
  return part !== 'e2e' && part !== 'prove'
}

function noTests(): PartSummary {
  return { passed: 0, failed: 0, skipped: 0, failures: [] }
}

async function run(
  command: string,
  words: string[],
): Promise<{ file: string; hasFailed: boolean }> {
  const file = join(folder, `${command}.json`)
  const child = spawn(command, words, {
    cwd: projectRoot,
    env: { ...environment, TEST_SUMMARY_FILE: file },
    stdio: 'inherit',
  })
  const forward = () => {
    isInterrupted = true
    child.kill('SIGTERM')
  }
  process.on('SIGTERM', forward)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  process.off('SIGTERM', forward)
  return { file, hasFailed: code !== 0 }
}

function readSummary<Summary>(file: string): Summary | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary
  } catch {
    return undefined
  }
}

/** Prints a line for each part and the sum, and returns the exit code. */
function report(parts: readonly TestPart[], summaries: Summaries): number {
  const total = noTests()
  console.log('')
  const outside = summaries[outsideTests] ? ([outsideTests] as const) : []
  const named = [...parts, ...outside]
  // Repeated here, since the failures are thousands of lines above.
  for (const part of named) {
    for (const failure of summaries[part]?.failures ?? []) {
      console.log(`${part} failed: ${describeFailure(failure)}`)
    }
  }
  for (const failure of passedOnlyAlone) console.log(`Failed, then passed alone: ${failure}`)
  for (const part of named) {
    const { passed, failed, skipped } = summaries[part] ?? noTests()
    const isMissing = passed + failed + skipped === 0
    const remark = isMissing ? ' (no test was run, which counts as a failure)' : ''
    const left = skipped > 0 ? `, ${skipped} skipped (which counts as failed)` : ''
    console.log(`${part}: ${passed} passed, ${failed} failed${left}${remark}`)
    total.passed += passed
    total.failed += failed + skipped + (isMissing ? 1 : 0)
  }
  for (const { name, tests, advice } of parts.includes('rails')
    ? missingPrograms(process.env)
    : []) {
    console.log(`rails: ${tests} left out, because ${name} is not here (${advice})`)
  }
  if (isInterrupted) console.log('Interrupted.')
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return total.failed > 0 || isInterrupted ? 1 : 0
}
