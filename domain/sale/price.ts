import { type Percentage, PERCENTAGE_DECIMALS, price, type Price } from '#domain/money.ts'

/** What a token cost from an instant on. */
export type PricePoint = { at: Date; price: Price }

/** How far back a chart goes; `all` is the whole sale. */
export type ChartPeriod = 'day' | 'week' | 'month' | 'all'

/** Older than this, a coin's price is no basis for a purchase. */
export const PRICE_AGE_MAX_MS = 120_000

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

/** What a whole unit costs by one feed, and when the feed reported it. */
export type FeedPrice = { feed: string; price: Price; at: Date }

/** A price with the feeds that agree on it; none where it does not come from feeds. */
export type SourcedPrice = { price: Price; sources: readonly FeedPrice[] }

export type QuorumRule = {
  /** At least so many feeds have to agree. */
  feedsMin: number
  /** A price that is older counts for nothing. */
  ageMaxMs: number
  /** A price farther from the middle than this is left out. */
  outlierBeyond: Percentage
}

export type Agreement = (SourcedPrice & { ok: true }) | { ok: false; why: string }

const HUNDRED_PERCENT = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS)

/**
 * The median of the feeds' prices, without zeros, old prices and outliers. An outlier is too far
 * from the middle price, or from either of the two in the middle: so two feeds alone have to be as
 * close to each other.
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
  return distance * HUNDRED_PERCENT <= middle * beyond
}
