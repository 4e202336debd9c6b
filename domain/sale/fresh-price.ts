import { isFresh, type SourcedPrice } from './price.ts'
import type { Market, PaymentToken } from './sale.ts'

/** What a price that the sale file sets has as its source, where others have feeds. */
const SALE_FILE = 'fixed'
/** The name of the seller's own feed among the sources of a price. */
export const OWN_FEED = 'own'

type Priced = Pick<PaymentToken, 'symbol' | 'priceFrom' | 'fixedPrice'>
type KnownPrice = SourcedPrice & { fetchedAt: Date }

/** The price that the sale file sets; null if the coin's comes from elsewhere. */
export function fixedPriceOf({ priceFrom, fixedPrice }: Priced, now: Date): SourcedPrice | null {
  if (priceFrom !== 'fixed' || fixedPrice === null) return null
  return { price: fixedPrice, sources: [{ feed: SALE_FILE, price: fixedPrice, at: now }] }
}

/**
 * The last price of a coin, however old; null if there is none from where the sale says that it
 * comes from. What is stored may be the price by a sale file before it.
 */
export function lastPrice(
  prices: Market['prices'],
  paymentToken: Priced,
  now: Date,
): KnownPrice | null {
  const fixed = fixedPriceOf(paymentToken, now)
  if (fixed !== null) return { ...fixed, fetchedAt: now }
  const stored = prices.get(paymentToken.symbol)
  return stored !== undefined && isFrom(paymentToken, stored) ? stored : null
}

/** Prices of the sandbox have no sources, and fit any coin. */
function isFrom({ priceFrom }: Priced, { sources }: SourcedPrice): boolean {
  if (sources.length === 0) return true
  if (sources.some(({ feed }) => feed === SALE_FILE)) return false
  const isOwn = sources.every(({ feed }) => feed === OWN_FEED)
  return isOwn === (priceFrom === 'own')
}

/** What a coin costs now; null if that is unknown or too old to sell at. */
export function freshPrice(
  prices: Market['prices'],
  paymentToken: Priced,
  now: Date,
): KnownPrice | null {
  const last = lastPrice(prices, paymentToken, now)
  return last !== null && isFresh(last.fetchedAt, now) ? last : null
}
