const wished = Number(process.env['RANDOM_RUNS'] ?? 0)

/**
 * How many random cases a property is tried with: `normal`, or `RANDOM_RUNS` where that is more. A
 * property that fails prints its seed and the smallest case that fails.
 */
export function randomRuns(normal: number): { numRuns: number } {
  return { numRuns: Math.max(normal, wished) }
}

/** For tests of many random cases: the long run may take its time. */
export const patiently = { timeout: wished > 0 ? 7_200_000 : 180_000 }
