import { price, type Price } from './money.ts'

/** What a token cost from an instant on. */
export type PricePoint = { at: Date; price: Price }

/** The most points of a chart that are worth sending. */
export const PRICE_POINTS_MAX = 200

/**
 * Whether a price is young enough to sell by. It may come from the future by as much: the clocks of
 * two machines differ a little. One from farther ahead was stamped by a clock that is wrong.
 */
export function isFresh(pricedAt: Date, now: Date, maxAgeMs: number): boolean {
  return Math.abs(now.getTime() - pricedAt.getTime()) <= maxAgeMs
}

/** The middle price, or the mean of the two in the middle, rounded down; null without prices. */
export function medianPrice(prices: readonly Price[]): Price | null {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : price((lower + upper) / 2n)
}

/**
 * At most `max` (4 or more) of the points, in their order: the first, the last, the lowest, the
 * highest, and between them as evenly spread as the rest allows.
 */
export function thinPricePoints<Point extends PricePoint>(
  points: readonly Point[],
  max: number = PRICE_POINTS_MAX,
): readonly Point[] {
  if (points.length <= max) return points
  const kept = new Set([0, points.length - 1, extreme(points, -1), extreme(points, 1)])
  const spread = max - kept.size
  for (let nth = 1; nth <= spread; nth += 1) {
    kept.add(Math.floor((nth * points.length) / (spread + 1)))
  }
  return points.filter((_, index) => kept.has(index))
}

/** Where the lowest (-1) or the highest (1) price stands first. */
function extreme(points: readonly PricePoint[], direction: 1 | -1): number {
  let found = 0
  for (const [index, point] of points.entries()) {
    const best = points[found]
    const isMore =
      best !== undefined && (direction === 1 ? point.price > best.price : point.price < best.price)
    if (isMore) found = index
  }
  return found
}
