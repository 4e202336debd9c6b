import { stripVTControlCharacters } from 'node:util'

import type { PartSummary, TestFailure } from './test-parts.ts'

/** The parts used of the report that Playwright's `json` reporter writes. */
export type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: readonly PlaywrightSuite[]
  errors: readonly { message?: string }[]
}

type PlaywrightSuite = {
  suites?: readonly PlaywrightSuite[]
  specs: readonly {
    file: string
    title: string
    ok: boolean
    tests: readonly { results: readonly { error?: { message?: string } }[] }[]
  }[]
}

/** The results of the browser tests; errors outside of any test count as failures. */
export function summaryOfPlaywright({ stats, suites, errors }: PlaywrightReport): PartSummary {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap(failuresOf),
      ...errors.map((error) => ({ file: '', name: '', fault: faultOf(error) })),
    ],
  }
}

function failuresOf({ suites = [], specs }: PlaywrightSuite): TestFailure[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
      return { file, name: title, fault: faultOf(error ?? {}) }
    })
  return [...own, ...suites.flatMap(failuresOf)]
}

/** Its first line, and what was looked for, wanted and seen, which follow in separate lines. */
function faultOf({ message = 'no reason was given' }: { message?: string }): string {
  const [first = '', ...others] = stripVTControlCharacters(message).split('\n')
  const details = others.filter((line) => /^(Locator|Expected|Received)\b/.test(line))
  return [first, ...details].join('; ')
}
