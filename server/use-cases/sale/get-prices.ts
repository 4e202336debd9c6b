import type { Price } from '#domain/money.ts'
import { isFresh } from '#domain/sale/price.ts'
import type { Services } from '#server/services.ts'

/** Older than this, a price is no basis for a purchase. */
export const PRICE_AGE_MAX_MS = 120_000

/** Dollars for one unit of each payment token, by symbol; one without a fresh price is left out. */
export async function getPrices(services: Services): Promise<ReadonlyMap<string, Price>> {
  const { prices } = await services.market.read()
  const now = services.clock.now()
  const wanted = new Set(services.sale.paymentTokens.map(({ symbol }) => symbol))
  const fresh = [...prices].filter(
    ([symbol, { fetchedAt }]) => wanted.has(symbol) && isFresh(fetchedAt, now, PRICE_AGE_MAX_MS),
  )
  return new Map(fresh.map(([symbol, { price }]) => [symbol, price]))
}
