import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { projectRoot } from '#tools/project.ts'
import { listPaths } from './source-files.ts'

/** The rows of the standard that apply, by chapter. */
const APPLYING = `
  1.2.1 1.2.2 1.2.4 1.2.10 1.3.6 1.3.11 1.3.12 1.4.2
  2.1.3 2.2.1 2.2.2 2.2.3 2.3.1 2.3.2 2.3.3 2.3.4 2.3.5 2.4.1
  3.2.1 3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.4.7 3.4.8 3.5.1 3.5.3 3.6.1 3.7.2
  4.1.1 4.1.3 4.1.4 4.1.5 4.2.1 5.2.1 5.2.2 5.2.6
  6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.8 6.2.9 6.2.12 6.3.1 6.3.2 6.3.3 6.3.7 6.3.8 6.4.3 6.5.1 6.5.2 6.5.5
  7.1.1 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.3 7.5.1 7.5.2
  8.2.1 8.2.2 8.2.3 8.3.1 8.3.2 9.1.1 9.1.2 9.2.1 9.2.2 9.2.3 10.4.5 10.4.8 10.4.9
  11.2.4 11.4.2 11.5.1 12.2.1 12.3.1 12.3.2 13.1.3 13.2.6 13.3.1 13.4.2 13.4.5 13.4.6
  14.2.1 14.2.6 14.3.1 14.3.2 14.3.3 15.1.2 15.2.2 15.2.4 15.3.1 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7 15.4.2
  16.2.5 16.3.1 16.3.2 16.3.3 16.4.1 16.5.1 16.5.2 16.5.3 16.5.4`
  .trim()
  .split(/\s+/)

const STATES = ['met', '**partly**', '**deviation**', '**not met**']

const text = readFileSync(join(projectRoot, 'docs', 'asvs.md'), 'utf8')

const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([id = '', , state = '', how = '']) => ({
    id: id.trim(),
    state: state.trim(),
    hasReason: how.includes('Reason: ') || state.trim() === '**deviation**',
    tests: [...how.matchAll(/`([^`]+\.test\.tsx?)` '([^']+)'/g)].map(
      ([, path = '', name = '']) => ({
        path,
        name,
      }),
    ),
  }))

test('the table has every row that applies, once and in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(APPLYING)
})

test('each row has a state, and a test or a reason', () => {
  const wrong = rows.filter(
    ({ state, tests, hasReason }) =>
      !STATES.includes(state) ||
      (tests.length === 0 && !hasReason) ||
      (state !== 'met' && !hasReason),
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('each test that a row names is there, in its file and by its name', () => {
  const paths = listPaths()
  const missing = rows.flatMap(({ id, tests }) =>
    tests
      .filter(
        ({ path, name }) =>
          !paths.includes(path) || !readFileSync(join(projectRoot, path), 'utf8').includes(name),
      )
      .map(({ path, name }) => `${id}: ${path} '${name}'`),
  )
  expect(missing).toEqual([])
})

test('the sum above the table is that of its rows', () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length
  expect(text).toContain(
    `${count('met')} met, ${count('**partly**')} partly, ${count('**deviation**')} deviations, ` +
      `${count('**not met**')} not met.`,
  )
})
