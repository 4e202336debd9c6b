import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'

const sources = readSources()
const table = sources.find(({ path }) => path === 'docs/clauses.md')?.text ?? ''
const tests = onOneLine(
  sources
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .map(({ text }) => text)
    .join('\n'),
)

function onOneLine(text: string): string {
  return text.replaceAll("\\'", "'").replaceAll(/\s+/g, ' ')
}

/** The titles in quotes in the last column; one that is cut ends with an ellipsis. */
function namedTitles(row: string): string[] {
  const proof = row.split(' | ').at(-1) ?? ''
  return [...proof.matchAll(/(?<!\w)'([^'|]+)'(?!\w)/g)].map(([, title = '']) => title)
}

test('each test that a clause names is there', () => {
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  const titles = rows.flatMap(namedTitles)
  expect(titles.length).toBeGreaterThan(200)
  const missing = titles.filter(
    (title) => !tests.includes(onOneLine(title.split('…')[0] ?? '').trim()),
  )
  expect(missing).toEqual([])
})

test('a title is told from other apostrophes', () => {
  const row =
    "| 'Save' | `form.tsx` | journey 'is saved once…'; the server's own: `a.test.ts` 'b' |"
  expect(namedTitles(row)).toEqual(['is saved once…', 'b'])
})
