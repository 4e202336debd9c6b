import { formatNumber } from '#web/lib/format/format.ts'

/** What the server counts to: there may be more. */
const COUNTED_MAX = 1000

/** How many there are in all; `1,000+` if any of the counts may be higher. */
export function countText(...counts: readonly number[]): string {
  const sum = counts.reduce((total, count) => total + count, 0)
  return `${formatNumber(sum)}${counts.some((count) => count >= COUNTED_MAX) ? '+' : ''}`
}
