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

/** The files in a row: those in backticks, and tests by their short names, such as `api/x`. */
function namedFiles(row: string): string[] {
  const inTicks = [...row.matchAll(/`([^`]+\.(?:tsx?|css|yaml|md))`/g)].map(([, name = '']) => name)
  const outside = row.replaceAll(/`[^`]*`/g, '')
  const short = [...outside.matchAll(/(?<![\w/])(?:api|rails)\/[\w/.-]*\w/g)].map(
    ([name]) => `tests/${name}.test.ts`,
  )
  return [...inTicks.flatMap(spellOut), ...short]
}

/** `{a,b}.ts` as `a.ts` and `b.ts`. */
function spellOut(name: string): string[] {
  const [whole = '', choices] = /\{([^}]+)\}/.exec(name) ?? []
  if (choices === undefined) return [name]
  return choices.split(',').flatMap((choice) => spellOut(name.replace(whole, choice)))
}

/** Names may leave out folders at their beginning, and `*` stands for a part of a name. */
function pathsOf(name: string): RegExp {
  const parts = name.split('*').map((part) => RegExp.escape(part))
  return new RegExp(`(^|/)${parts.join('[^/]*')}$`)
}

test('each file that a clause names is there', () => {
  const clauses = table.slice(table.indexOf('## Section 1'))
  const rows = clauses.split('\n').filter((line) => line.startsWith('| '))
  const names = new Set(rows.flatMap(namedFiles))
  expect(names.size).toBeGreaterThan(300)
  const missing = [...names].filter((name) => {
    const paths = pathsOf(name)
    return !sources.some(({ path }) => paths.test(path))
  })
  expect(missing).toEqual([])
})

test('files are read from a row in each way of naming them', () => {
  const row = "| Save | `web/{a,b/c}.tsx`, `d` | api/e/f 'g'; `h-*.test.ts`; rails/i. |"
  expect(namedFiles(row)).toEqual([
    'web/a.tsx',
    'web/b/c.tsx',
    'h-*.test.ts',
    'tests/api/e/f.test.ts',
    'tests/rails/i.test.ts',
  ])
  expect('web/h-one.test.ts').toMatch(pathsOf('h-*.test.ts'))
  expect('web/oh-one.test.ts').not.toMatch(pathsOf('h-*.test.ts'))
})

test('a title is told from other apostrophes', () => {
  const row =
    "| 'Save' | `form.tsx` | journey 'is saved once…'; the server's own: `a.test.ts` 'b' |"
  expect(namedTitles(row)).toEqual(['is saved once…', 'b'])
})
