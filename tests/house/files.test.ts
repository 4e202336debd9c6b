import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'

import { listPaths, readSources, type SourceFile } from './source-files.ts'

const linesMax = 400
/** A test may hold a long table of cases. */
const testLinesMax = 700

/**
 * Longer than the rest, because each of them is a single list: texts, tables of cases, settings.
 */
const longFiles = [
  /^\.oxlintrc\.json$/,
  /^docs\//,
  /^sales\//,
  /^web\/messages\//,
  /^server\/database\/migrations\//,
]

const forbiddenNames = ['util', 'helper', 'manager', 'misc', 'common', 'base', 'data', 'info']

/** Names given by a tool or the specification: its page /info, its info tooltip. */
const excusedNames = [
  /^tsconfig\.base\.json$/,
  /^web\/screens\/info(\/|\.tsx$)/,
  /^web\/messages\/en\/info\.ts$/,
  /^web\/ui\/feedback\/info-tip(-trigger)?\.tsx$/,
]

const isCode = ({ path }: SourceFile) => /\.(ts|tsx|mjs)$/.test(path)
const isTest = ({ path }: SourceFile) => path.startsWith('tests/') || /\.test\.tsx?$/.test(path)

type Finding = { path: string; line: number; text: string }

/** Each line of `files` in which `pattern` is found. */
function findLines(files: readonly SourceFile[], pattern: RegExp): Finding[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ path, line: index + 1, text: line }))
      .filter((line) => pattern.test(line.text))
      .map((line) => ({ ...line, text: line.text.trim() })),
  )
}

function wordsOf(path: string): string[] {
  return path.split('/').flatMap((name) => name.split(/[.-]/))
}

function hasForbiddenName(path: string): boolean {
  if (excusedNames.some((excused) => excused.test(path))) return false
  return wordsOf(path).some((word) =>
    forbiddenNames.some((name) => word === name || word === `${name}s`),
  )
}

/**
 * `create-purchase.ts`, `0001-accounts`, `page.test.tsx`, `.oxlintrc.json`; documents may shout.
 */
function isKebabCase(path: string): boolean {
  const names = path.split('/')
  return names.every(
    (name, index) =>
      /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(name) ||
      (index === names.length - 1 && /^([A-Z_]+)(\.md)?$/.test(name)),
  )
}

const sources = readSources()
const code = sources.filter(isCode)

describe('files', () => {
  test(`no file has more than ${linesMax} lines, no test more than ${testLinesMax}`, () => {
    const long = sources
      .filter(({ path }) => !longFiles.some((excused) => excused.test(path)))
      .map((file) => ({ ...file, lines: file.text.split('\n').length - 1 }))
      .filter((file) => file.lines > (isTest(file) ? testLinesMax : linesMax))
      .map(({ path, lines }) => ({ path, lines }))

    expect(long).toEqual([])
  })

  test('no comment is wider than 100 columns; the formatter sees to the rest', () => {
    expect(findLines(code, /^(?=.{101,}$)\s*(\/\/|\/?\*)/u)).toEqual([])
  })

  test('names are in kebab case', () => {
    expect(listPaths().filter((path) => !isKebabCase(path))).toEqual([])
  })

  test('no name is meaningless', () => {
    expect(listPaths().filter(hasForbiddenName)).toEqual([])
  })

  test('there are no barrels', () => {
    expect(listPaths().filter((path) => /(^|\/)index\.(ts|tsx|mjs)$/.test(path))).toEqual([])
  })

  test('no folder holds more than 25 files', () => {
    const lists = /^(docs|sales)\//
    const folders = Map.groupBy(
      listPaths().filter((path) => path.includes('/') && !lists.test(path)),
      (path) => dirname(path),
    )
    const crowded = [...folders].filter(([, paths]) => paths.length > 25)

    expect(crowded.map(([folder, paths]) => `${folder}: ${paths.length}`)).toEqual([])
  })

  test('TypeScript is imported with its extension', () => {
    const bare =
      /(from|import\() ?'(\.{1,2}\/|#)[^']*(?<!\.(ts|tsx|mjs|css|json|svg|png|ttf|woff2))'/
    const own = code.filter(({ path }) => !path.startsWith('tests/house/'))

    expect(findLines(own, bare)).toEqual([])
  })
})

describe('what no file says', () => {
  const beyondHouse = sources.filter(({ path }) => !path.startsWith('tests/house/'))

  test('no work is left for later in a comment', () => {
    expect(findLines(beyondHouse, /\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([])
  })

  test('no rule is switched off in passing', () => {
    const disabling = /(oxlint|eslint|biome|prettier|oxfmt)-(disable|ignore)|@ts-(ignore|nocheck)/

    expect(findLines(beyondHouse, disabling)).toEqual([])
  })

  test('no type error is expected outside of tests', () => {
    const products = code.filter((file) => !isTest(file))

    expect(findLines(products, /@ts-expect-error/)).toEqual([])
  })

  test('nothing is cast to any', () => {
    expect(
      findLines(
        code.filter((file) => !file.path.startsWith('tests/house/')),
        /\bas any\b/,
      ),
    ).toEqual([])
  })

  test('no path of one particular machine', () => {
    const machine = /(^|[\s'"`(=:])\/(work|home|root|Users|tmp)\/\w/

    expect(findLines(beyondHouse, machine)).toEqual([])
  })

  test('the web reaches the network through two files', () => {
    const network = /\bfetch\(|\.fetch\b|\b(XMLHttpRequest|EventSource|WebSocket|sendBeacon)\b/
    const others = code.filter(
      (file) => /^web\/(?!lib\/api\/(call|stream)\.ts)/.test(file.path) && !isTest(file),
    )

    expect(findLines(others, network)).toEqual([])
  })

  test('the server reads the environment in one file', () => {
    const others = code.filter(
      (file) => /^server\/(?!config\/config\.ts)/.test(file.path) && !isTest(file),
    )

    expect(findLines(others, /\bprocess\.env\b|'(node:)?process'/)).toEqual([])
  })

  test('domain is neither asynchronous nor does it look at the clock', () => {
    const domain = code.filter((file) => file.path.startsWith('domain/') && !isTest(file))

    expect(findLines(domain, /\b(async|await)\b|\bPromise<|new Date\(\)/)).toEqual([])
  })
})

describe('the checks themselves', () => {
  test.each([
    'web/lib/date-utils.ts',
    'server/info.ts',
    'domain/money-helper.ts',
    'server/data/x.ts',
  ])('%s is a name that says nothing', (path) => expect(hasForbiddenName(path)).toBe(true))

  test.each(['web/screens/info.tsx', 'server/database/x.ts', 'domain/information.ts'])(
    '%s is a fine name',
    (path) => expect(hasForbiddenName(path)).toBe(false),
  )

  test.each([
    'README.md',
    '.env.example',
    'domain/money.test.ts',
    'docs/decisions/0001-a.md',
    '.ci/run',
  ])('%s is kebab case', (path) => expect(isKebabCase(path)).toBe(true))

  test.each(['web/BuyForm.tsx', 'server/create_purchase.ts', 'docs/My Notes.md'])(
    '%s is not kebab case',
    (path) => expect(isKebabCase(path)).toBe(false),
  )

  test('a finding says where', () => {
    const found = findLines([{ path: 'a.ts', text: 'one\n  // TODO: two' }], /\bTODO\b/)

    expect(found).toEqual([{ path: 'a.ts', line: 2, text: '// TODO: two' }])
  })
})
