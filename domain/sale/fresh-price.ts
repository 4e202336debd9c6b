import { isFresh, type SourcedPrice } from './price.ts'
import type { Market, PaymentToken } from './sale.ts'

/** What a price that the sale file sets has as its source, where others have feeds. */
const SALE_FILE = 'fixed'

type Priced = Pick<PaymentToken, 'symbol' | 'priceFrom' | 'fixedPrice'>

/** The price that the sale file sets; null if the coin's comes from elsewhere. */
export function fixedPriceOf({ priceFrom, fixedPrice }: Priced, now: Date): SourcedPrice | null {
  if (priceFrom !== 'fixed' || fixedPrice === null) return null
  return { price: fixedPrice, sources: [{ feed: SALE_FILE, price: fixedPrice, at: now }] }
}

/**
 * What a coin costs now; null if that is unknown or too old to sell at. A price that a sale file
 * sets is taken from the sale alone, since what is stored may be that of a file before it.
 */
export function freshPrice(
  prices: Market['prices'],
  paymentToken: Priced,
  now: Date,
): SourcedPrice | null {
  const fixed = fixedPriceOf(paymentToken, now)
  if (fixed !== null) return fixed
  const stored = prices.get(paymentToken.symbol)
  if (stored === undefined || !isFresh(stored.fetchedAt, now)) return null
  return stored.sources.some(({ feed }) => feed === SALE_FILE) ? null : stored
}
