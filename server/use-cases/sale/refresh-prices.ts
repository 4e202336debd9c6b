import { freshPrice, lastPrice } from '#domain/sale/fresh-price.ts'
import { pricedAt, type SourcedPrice } from '#domain/sale/price.ts'
import type { Market, PaymentToken } from '#domain/sale/sale.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { priceReceipts } from '#server/database/purchases/receipts.ts'
import { savePrices } from '#server/database/sale/prices.ts'
import { acquireLease, moveOwnLease } from '#server/database/connection/leases.ts'
import type { Services } from '#server/services.ts'
import { hasCurrentSale } from './require-current-sale.ts'
import { withTimeout } from './with-timeout.ts'

/** The instance with this lease fetches the prices. */
export const PRICES_LEASE = 'prices'
const REFRESH_EVERY_MS = 60_000
/**
 * If any price is missing, the next attempt comes sooner, well before the stored one is too old to
 * sell at. It does not ask feeds again that have answered.
 */
const RETRY_AFTER_MS = 10_000
/** More than the lease itself, since two machines' clocks differ a little. */
const LONGEST_LEASE_MS = 2 * REFRESH_EVERY_MS
/** Longer than a feed may take, and shorter than the lease, so that a slow answer still counts. */
const ANSWER_WITHIN_MS = 9_000

/**
 * Fetches the prices if it is time and no other instance does it. Safe to call at any moment. An
 * instance whose sale file is not the applied one leaves it to the others.
 */
export async function refreshPrices(services: Services): Promise<void> {
  const { database, priceSource, sale, log } = services
  if (!(await hasCurrentSale(services, database))) return
  const now = services.clock.now()
  const heldUntil = after(now, RETRY_AFTER_MS)
  if (!(await acquireLease(database, PRICES_LEASE, now, RETRY_AFTER_MS, LONGEST_LEASE_MS))) return
  let prices: ReadonlyMap<string, SourcedPrice>
  try {
    prices = onlyPrices(
      await withTimeout(priceSource.fetchPrices(sale.paymentTokens), ANSWER_WITHIN_MS),
    )
  } catch (error) {
    log.warn({ error }, 'Prices could not be fetched. The server tries again soon')
    return
  }
  const arePricesMissing = sale.paymentTokens.some(
    ({ isEnabled, symbol }) => isEnabled && !prices.has(symbol),
  )
  const nextAt = after(now, arePricesMissing ? RETRY_AFTER_MS : REFRESH_EVERY_MS)
  const { prices: stored } = await services.market.readNow()
  const later = new Map(
    [...prices].filter(([symbol, priced]) => {
      const paymentToken = sale.paymentTokens.find((each) => each.symbol === symbol)
      return paymentToken && isLater(priced, paymentToken, stored, now)
    }),
  )
  const areNew = sale.paymentTokens.some((paymentToken) => {
    const priced = later.get(paymentToken.symbol)
    return priced && freshPrice(stored, paymentToken, now)?.price !== priced.price
  })
  const isSaved = await database.transaction().execute(async (transaction) => {
    // Both may have changed while the feeds were asked: then newer prices are there, or come soon.
    if (!(await hasCurrentSale(services, transaction))) return false
    if (!(await moveOwnLease(transaction, PRICES_LEASE, heldUntil, nextAt))) return false
    await savePrices(transaction, later, now)
    // A coin may stay without a price for days, and every open page reads what is notified.
    if (areNew) await notifyLive(transaction, [{ kind: 'prices' }])
    return true
  })
  if (isSaved) {
    services.market.invalidate()
    const symbols = new Map(sale.paymentTokens.map(({ id, symbol }) => [id, symbol]))
    await priceReceipts(database, (id) => later.get(symbols.get(id) ?? '')?.price)
  } else log.debug({}, 'Prices that were overtaken while they were fetched are dropped')
}

const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

/**
 * Feeds that have answered give that answer for a minute, so another instance may have stored a
 * later one. A stored price from beyond now has the time of a wrong clock.
 */
function isLater(
  priced: SourcedPrice,
  paymentToken: PaymentToken,
  stored: Market['prices'],
  now: Date,
): boolean {
  const last = lastPrice(stored, paymentToken, now)
  return last === null || last.fetchedAt > now || last.fetchedAt <= pricedAt(priced, now)
}

/** A price of zero would give tokens away. */
function onlyPrices(prices: ReadonlyMap<string, SourcedPrice>): ReadonlyMap<string, SourcedPrice> {
  return new Map([...prices].filter(([, { price }]) => price > 0n))
}
