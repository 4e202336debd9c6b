import { expect, test } from 'vitest'

import { afterRunningAlone, filesToRunAlone } from './run-alone.ts'
import type { PartSummary, TestFailure } from './test-parts.ts'

const failure = (file: string, name = 'sells'): TestFailure => ({ file, name, fault: 'late' })
const part = (passed: number, ...failures: TestFailure[]): PartSummary => ({
  passed,
  failed: failures.length,
  skipped: 0,
  failures,
})

test('each file with a failure runs again once', () => {
  expect(filesToRunAlone(part(9, failure('a'), failure('a', 'pays'), failure('b')))).toEqual([
    'a',
    'b',
  ])
})

test.each([
  ['nothing failed', part(9)],
  ['many files failed', part(9, ...['a', 'b', 'c', 'd'].map((file) => failure(file)))],
  ['a file did not load', part(9, failure('a'), failure('b', ''))],
])('nothing runs again where %s', (_, summary) => {
  expect(filesToRunAlone(summary)).toEqual([])
})

test('what passes alone counts as passed, and is named', () => {
  const { summary, passedAlone } = afterRunningAlone(part(9, failure('a')), part(4))
  expect(summary).toEqual(part(10))
  expect(passedAlone).toEqual([failure('a')])
})

test('what fails again, or only now, has failed', () => {
  const first = part(9, failure('a'), failure('a', 'pays'))
  const { summary, passedAlone } = afterRunningAlone(
    first,
    part(3, failure('a', 'pays'), failure('a', 'ends')),
  )
  expect(summary).toEqual(part(9, failure('a', 'pays'), failure('a', 'ends')))
  expect(passedAlone).toEqual([failure('a')])
})

test('a second run that did not take place excuses nothing', () => {
  const first = part(9, failure('a'))
  expect(afterRunningAlone(first, part(0))).toEqual({ summary: first, passedAlone: [] })
})
