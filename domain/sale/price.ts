import { ALL, type Percentage, price, type Price } from '#domain/money.ts'

/** What a token cost from an instant on. */
export type PricePoint = { at: Date; price: Price }

/** How far back a chart goes; `all` is the whole sale. */
export type ChartPeriod = 'day' | 'week' | 'month' | 'all'

/** A coin's price older than this cannot be used for a purchase. */
export const PRICE_AGE_MAX_MS = 120_000

/** The most points that a chart sends. */
export const PRICE_POINTS_MAX = 200

/**
 * Whether a price is recent enough to sell at. It may be from the future by the same amount, since
 * two machines' clocks differ a little. A price from further ahead was stamped by a wrong clock.
 */
export function isFresh(pricedAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - pricedAt.getTime()) <= PRICE_AGE_MAX_MS
}

/** The middle price, or the mean of the two in the middle, rounded down; null without prices. */
export function medianPrice(prices: readonly Price[]): Price | null {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : price((lower + upper) / 2n)
}

/** What a whole unit costs at one feed, and when the feed reported it. */
export type FeedPrice = { feed: string; price: Price; at: Date }

/** A price with the feeds that agree on it; without feeds if it does not come from any. */
export type SourcedPrice = { price: Price; sources: readonly FeedPrice[] }

/** A price is as old as its oldest source, or as the fetch if it has none. */
export function pricedAt({ sources }: SourcedPrice, fetchedAt: Date): Date {
  return new Date(Math.min(+fetchedAt, ...sources.map(({ at }) => +at)))
}

export type QuorumRule = {
  /** At least this many feeds have to agree. */
  feedsMin: number
  /** An older price is ignored. */
  ageMaxMs: number
  /** A price farther from the middle than this is left out. */
  outlierBeyond: Percentage
}

export type Agreement = (SourcedPrice & { ok: true }) | { ok: false; why: string }

/**
 * The median of the feeds' prices, without zeros, old prices and outliers. An outlier is too far
 * from the middle price, or from either of the two in the middle: so if there are only two feeds,
 * they have to be that close to each other.
 */
export function agreeOnPrice(
  reported: readonly FeedPrice[],
  { feedsMin, ageMaxMs, outlierBeyond }: QuorumRule,
  now: Date,
): Agreement {
  const usable = reported
    .filter(({ price, at }) => price > 0n && Math.abs(now.getTime() - at.getTime()) <= ageMaxMs)
    .toSorted((one, other) => (one.price < other.price ? -1 : one.price > other.price ? 1 : 0))
  const middles = [usable[(usable.length - 1) >> 1], usable[usable.length >> 1]]
  const sources = usable.filter(({ price }) =>
    middles.every((middle) => middle !== undefined && isNear(price, middle.price, outlierBeyond)),
  )
  const median = medianPrice(sources.map(({ price }) => price))
  if (median === null || sources.length < feedsMin) {
    const why = `${sources.length} of ${reported.length} prices agree and are fresh, ${feedsMin} are needed`
    return { ok: false, why }
  }
  return { ok: true, price: median, sources }
}

function isNear(price: Price, middle: Price, beyond: Percentage): boolean {
  const distance = price > middle ? price - middle : middle - price
  return distance * ALL <= middle * beyond
}
