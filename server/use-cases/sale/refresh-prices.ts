import type { SourcedPrice } from '#domain/sale/price.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { savePrices } from '#server/database/sale/prices.ts'
import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import type { Services } from '#server/services.ts'
import { withTimeout } from './with-timeout.ts'

/** The instance with this lease fetches the prices. */
export const PRICES_LEASE = 'prices'
const REFRESH_EVERY_MS = 60_000
/** After a failure the next attempt comes sooner, well before the prices are too old to sell at. */
const RETRY_AFTER_MS = 10_000
/** More than the lease itself, since two machines' clocks differ a little. */
const LONGEST_LEASE_MS = 2 * REFRESH_EVERY_MS
/** A source has its own timeouts; one without must not block the start or a worker. */
const ANSWER_WITHIN_MS = 20_000

/** Fetches the prices if it is time and no other instance does it. Safe to call at any moment. */
export async function refreshPrices(services: Services): Promise<void> {
  const { database, priceSource, sale, log } = services
  const now = services.clock.now()
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
  await database.transaction().execute(async (transaction) => {
    await savePrices(transaction, prices, now)
    await endLeaseAt(transaction, PRICES_LEASE, new Date(now.getTime() + REFRESH_EVERY_MS))
    await notifyLive(transaction, [{ kind: 'prices' }])
  })
  services.market.invalidate()
}

/** A price of zero would give tokens away. */
function onlyPrices(prices: ReadonlyMap<string, SourcedPrice>): ReadonlyMap<string, SourcedPrice> {
  return new Map([...prices].filter(([, { price }]) => price > 0n))
}
