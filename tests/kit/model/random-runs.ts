const requested = Number(process.env['RANDOM_RUNS'] ?? 0)
const seed = process.env['SEED']

/** Whether as many cases are tried as in `npm run test:long`. */
export const isLongRun = requested > 0

/**
 * How many random cases of a property are tried: `normal`, or `RANDOM_RUNS` if that is more,
 * divided by `slowness` for a property with slow cases. A property that fails prints its seed and
 * the smallest failing case; `SEED` accepts that seed.
 */
export function randomRuns(normal: number, slowness = 1): { numRuns: number; seed?: number } {
  const numRuns = Math.max(normal, Math.ceil(requested / slowness))
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) }
}

/** For tests of many random cases: the long run may take its time. */
export const patiently = { timeout: isLongRun ? 7_200_000 : 180_000 }

/** What a run has reached and in how many cases, most frequent first, as lines of text. */
export function countsOf(reached: ReadonlyMap<string, number>): string {
  return [...reached]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, count]) => `${String(count).padStart(8)}  ${what}`)
    .join('\n')
}
