import { type Percentage, PERCENTAGE_DECIMALS, type Price } from '#domain/money.ts'
import { medianPrice } from './price.ts'

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
