import { price, type Price } from '#domain/money.ts'

/** What a token cost from an instant on. */
export type PricePoint = { at: Date; price: Price }

/** How far back a chart goes; `all` is the whole sale. */
export type ChartPeriod = 'day' | 'week' | 'month' | 'all'

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
