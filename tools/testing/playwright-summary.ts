import { stripVTControlCharacters } from 'node:util'

import type { PartSummary } from './test-parts.ts'

/** What is used of the report that Playwright's `json` reporter writes. */
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

/** What the browser tests came to; errors outside of any test are among the failures. */
export function summaryOfPlaywright({ stats, suites, errors }: PlaywrightReport): PartSummary {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: [...suites.flatMap(failuresOf), ...errors.map(firstLine)],
  }
}

function failuresOf({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
      return `${file} › ${title}: ${firstLine(error ?? {})}`
    })
  return [...own, ...suites.flatMap(failuresOf)]
}

function firstLine({ message = 'no reason was given' }: { message?: string }): string {
  return stripVTControlCharacters(message).split('\n', 1)[0] ?? ''
}
