/** The parts of `npm test`, in the order in which they run. */
export const testParts = [
  'unit',
  'house',
  'api-embedded',
  'api-postgres',
  'rails',
  'e2e',
  'prove',
] as const

export type TestPart = (typeof testParts)[number]

export type PartSummary = {
  passed: number
  failed: number
  skipped: number
  failures: TestFailure[]
}

export type TestFailure = {
  /** As its runner names it; empty if the fault belongs to no file. */
  file: string
  /** Empty if the fault belongs to no test of the file, which does not load. */
  name: string
  /** What was wrong, in a line. */
  fault: string
}

const groups: Record<string, readonly TestPart[]> = {
  api: ['api-embedded', 'api-postgres'],
}

/** What one run of `npm test` runs: parts, and only certain files of them if any are named. */
export type TestChoice = { parts: readonly TestPart[]; files: readonly string[] }

/**
 * The choice in `--only unit,api` or `--only e2e tests/e2e/account/login.test.ts`; everything if
 * nothing is named. A word with a slash or a dot is a file, or a part of its path.
 */
export function chooseTests(words: readonly string[]): TestChoice {
  if (words.length === 0) return { parts: testParts, files: [] }
  const [flag, ...named] = words.flatMap((word) => word.split(/[=,]/))
  const files = named.filter(isFile)
  const names = named.filter((name) => !isFile(name))
  const known = [...testParts, ...Object.keys(groups)]
  const unknown = names.filter((name) => !known.includes(name))
  if (flag !== '--only' || names.length === 0 || unknown.length > 0) {
    throw new Error(
      'Usage: npm test -- --only <part>[,<part>] [<file> ...]; ' +
        `the parts are ${known.join(', ')}.`,
    )
  }
  const parts = testParts.filter(
    (part) => names.includes(part) || names.some((name) => groups[name]?.includes(part)),
  )
  return { parts, files }
}

const isFile = (word: string): boolean => /[/.]/.test(word)
