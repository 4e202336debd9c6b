import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { listPaths, readSources } from './source-files.ts'

type Word = {
  /** The parts of a name that may not occur in this sequence. */
  parts: readonly string[]
  instead: string
  /** The folder in which it is refused; if left out, everywhere. */
  within?: string
}

const word = (instead: string, ...names: string[]): Word[] =>
  names.map((name) => ({ parts: name.split(' '), instead }))

/** Words that meant several things, or none to a newcomer, each with what to say instead. */
const retired: readonly Word[] = [
  ...word('notify, report, send or record', 'told', 'tell', 'tells'),
  ...word('message, reply or stated', 'said', 'says'),
  ...word('input, options or request', 'wish', 'wishes', 'wished'),
  ...word('lease, queue, transition, boundary or slot', 'turn', 'turns'),
  ...word('health or view', 'standing', 'showing'),
  ...word('withDeadline…', 'unhurried'),
  ...word('ping', 'reach'),
  ...word('chunk', 'in parts'),
  ...word('mapWithConcurrency', 'run limited'),
  ...word('batcher', 'grouping'),
  ...word('value or valuation', 'worth'),
  ...word('assessment, assess or check', 'verdict', 'verdicts', 'judge', 'judges'),
  ...word('classifyReceipts', 'sort money'),
  { parts: ['gaps'], instead: 'discrepancies', within: 'server/payments/' },
  ...word('incoming', 'arrivals'),
  ...word('outgoing', 'departures'),
  ...word('suspect…', 'doubt', 'doubts'),
  ...word('unmatched or drift', 'stray', 'strays'),
  ...word('consumeCode', 'spend code'),
  ...word('returnAttempt or refund', 'give back'),
  ...word('invalidate or clear', 'forget', 'forgets'),
  ...word('precheck', 'foresee', 'foresees'),
  ...word('connect', 'meet', 'meets'),
  ...word('knownLocation', 'login place', 'login places'),
  ...word('findUser', 'named user'),
  ...word('endSessionsByOperator', 'end sessions of'),
]

/** Plain English, or a name from the wire, the sale file, a table or the platform. */
const allowed = new Set([
  'turnOnTwoFactor',
  'turnOn',
  'turnOff',
  'inTurn',
  'isOutOfReach',
  'requireGoodStanding',
  'isWorthRetrying',
  'openWorthPerUser',
  'openWorthPerConnection',
  'worthPerUserMax',
  'worthPerConnectionMax',
  'UserWorthReached',
  'ConnectionWorthReached',
  'LoginPlacesTable',
  'LoginPlaceRecord',
  'useGrouping',
  'CSSGroupingRule',
])

/** A column of `gateway_deposits`. */
const isColumn = (path: string, name: string) =>
  name === 'said' && path.startsWith('server/database/')

/** Phrases that are never plain English, each with what to write instead. */
const retiredPhrases: readonly { phrase: RegExp; instead: string }[] = [
  { phrase: /\btells? of\b/i, instead: 'reports, or is about' },
  { phrase: /\bwhat is (told|said)\b/i, instead: 'the message, or what is sent' },
  { phrase: /\b(is|are|was|were) told so\b/i, instead: 'gets an error that says so' },
  { phrase: /\bwhoever asks\b/i, instead: 'the caller' },
  { phrase: /\bwhat stands (there|here)\b/i, instead: 'its value, or the text' },
  { phrase: /\bunhurried/i, instead: 'with a deadline' },
]

const rooms = /^(contract|domain|server|web|tests|tools)\//

/** `readFromBestNode`, `LAST_TRY_MS`, `read-range` → the words in it, in lower case. */
function partsOf(name: string): string[] {
  return [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([part]) => part.toLowerCase())
}

/** What to use instead of a name; null for one that may stay. */
function insteadOf(path: string, name: string): string | null {
  // Snake case is the wire's, the sale file's and the database's.
  if (/^[a-z]+(_[a-z]+)+$/.test(name) || allowed.has(name) || isColumn(path, name)) return null
  const parts = ` ${partsOf(name).join(' ')} `
  const found = retired.find(
    (each) => path.startsWith(each.within ?? '') && parts.includes(` ${each.parts.join(' ')} `),
  )
  return found?.instead ?? null
}

/** The names that code declares or uses, without texts, and its comments. */
function namesIn(path: string, text: string): { names: Set<string>; comments: string[] } {
  const { program, comments, errors } = parseSync(path, text)
  expect(errors, path).toEqual([])
  const names = new Set<string>()
  const toVisit: unknown[] = [program]
  while (toVisit.length > 0) {
    const node = toVisit.pop()
    if (typeof node !== 'object' || node === null) continue
    if ('type' in node && 'name' in node && typeof node.name === 'string') names.add(node.name)
    toVisit.push(...Object.values(node))
  }
  return { names, comments: comments.map(({ value }) => value.replace(/\s*\n\s*\*?\s*/g, ' ')) }
}

/** The first words of everything retired: files without any of them are not parsed. */
const firstWords = new RegExp(
  ['whoever', 'stands', ...retired.map(({ parts }) => parts[0] ?? '')]
    .flatMap((first) => {
      const capital = first.slice(0, 1).toUpperCase() + first.slice(1)
      return [`(?<![a-z])${first}`, capital, first.toUpperCase()]
    })
    .join('|'),
)

function findRetired(path: string, text: string): string[] {
  if (!firstWords.test(text)) return []
  const { names, comments } = namesIn(path, text)
  const inNames = [...names].toSorted().flatMap((name) => {
    const instead = insteadOf(path, name)
    return instead === null ? [] : [`${path}: ${name} → ${instead}`]
  })
  const inComments = comments.flatMap((comment) =>
    retiredPhrases.flatMap(({ phrase, instead }) => {
      const found = phrase.exec(comment)?.[0]
      return found === undefined ? [] : [`${path}: "${found}" in a comment → ${instead}`]
    }),
  )
  return [...inNames, ...inComments]
}

test('no file and no folder has a retired word in its name', () => {
  const paths = listPaths().filter((path) => rooms.test(path))
  const names = new Set(
    paths.flatMap((path) => path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))),
  )
  const found = [...names].flatMap((path) => {
    const instead = insteadOf(path, path.slice(path.lastIndexOf('/') + 1))
    return instead === null ? [] : [`${path} → ${instead}`]
  })

  expect(found).toEqual([])
})

test('no code has a retired word in a name, or a retired phrase in a comment', () => {
  const found = readSources()
    .filter(({ path }) => rooms.test(path) && /\.(ts|tsx|mjs)$/.test(path))
    .flatMap(({ path, text }) => findRetired(path, text))

  expect(found).toEqual([])
})

test('a retired word is found in names of every kind, but not in texts', () => {
  const text = [
    "import { worthOf as price } from './x.ts'",
    'type PurchaseWish = { isTold: boolean; worth_max: number }',
    'class Chain { #verdict = `${lastTurn} turn`; giveBack() {} }',
    "const TOLD_MAX = <p title='verdict'>It is your turn</p>",
    '// It is worth a try. The buyer is told so.',
    'const gaps = useGrouping',
    'export const turnOnTwoFactor = /judge/',
  ].join('\n')

  expect(findRetired('a.tsx', text)).toEqual([
    'a.tsx: PurchaseWish → input, options or request',
    'a.tsx: TOLD_MAX → notify, report, send or record',
    'a.tsx: giveBack → returnAttempt or refund',
    'a.tsx: isTold → notify, report, send or record',
    'a.tsx: lastTurn → lease, queue, transition, boundary or slot',
    'a.tsx: verdict → assessment, assess or check',
    'a.tsx: worthOf → value or valuation',
    'a.tsx: "is told so" in a comment → gets an error that says so',
  ])
})
