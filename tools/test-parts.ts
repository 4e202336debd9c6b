/** The parts of `npm test`, in the order in which they run. */
export const testParts = ['unit', 'house', 'api-embedded', 'api-postgres', 'rails', 'e2e'] as const

export type TestPart = (typeof testParts)[number]

export type PartSummary = { passed: number; failed: number; skipped: number }

const groups: Record<string, readonly TestPart[]> = {
  api: ['api-embedded', 'api-postgres'],
}

/** The parts that `--only unit,api` names; all of them where nothing is named. */
export function chooseParts(words: readonly string[]): readonly TestPart[] {
  if (words.length === 0) return testParts
  const [flag, ...names] = words.flatMap((word) => word.split(/[=,]/))
  const known = [...testParts, ...Object.keys(groups)]
  const unknown = names.filter((name) => !known.includes(name))
  if (flag !== '--only' || names.length === 0 || unknown.length > 0) {
    throw new Error(`Usage: npm test -- --only <part>[,<part>]; the parts are ${known.join(', ')}.`)
  }
  return testParts.filter(
    (part) => names.includes(part) || names.some((name) => groups[name]?.includes(part)),
  )
}
