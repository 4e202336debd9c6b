import { type Usd, usd, usdForUnits } from '#domain/money.ts'
import { lastPrice } from '#domain/sale/fresh-price.ts'
import { isFresh } from '#domain/sale/price.ts'
import { type Market, paymentTokenOf, type Sale } from '#domain/sale/sale.ts'
import { progressOf, stageStatuses } from '#domain/sale/stage.ts'
import { readMailState } from '#server/database/books/mail-state.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { readFunnel, readSaleSums } from '#server/database/sale/sale-sums.ts'
import { type OwedAsset, sumOwed } from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'
import { getSaleState } from '#server/use-cases/operations/get-sale-state.ts'

const OVERVIEW_DAYS = 30
const DAY_MS = 86_400_000

export type Overview = Awaited<ReturnType<typeof getOverview>>

/** The state of the sale, from running totals. */
export async function getOverview(services: Services) {
  const { database, sale, clock } = services
  const now = clock.now()
  const since = new Date(now.getTime() - (OVERVIEW_DAYS - 1) * DAY_MS)
  const [state, market, sums, funnel, owed, mails] = await Promise.all([
    getSaleState(services),
    loadMarket(database),
    readSaleSums(database, since),
    readFunnel(database),
    sumOwed(database),
    readMailState(database),
  ])
  return {
    readAt: now,
    state,
    sums,
    days: Array.from({ length: OVERVIEW_DAYS }, (_, nth) => dayOf(since.getTime() + nth * DAY_MS)),
    funnel,
    stages: stageStatuses(sale, market.progress, market.halt, now).map((each) => ({
      ...each,
      progress: progressOf(market.progress, each.stage),
    })),
    owed: owed.map((each) => ({ ...each, usd: valueNow(sale, market, each) })),
    feeds: listFeeds(sale, market, now),
    mails,
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * What a sum is worth in dollars at the last known price, however old; rounded up, since it is what
 * paying it back costs. Null if its asset or the price is unknown.
 */
function valueNow(
  sale: Sale,
  { prices }: Pick<Market, 'prices'>,
  { payment_token_id, amount }: OwedAsset,
): Usd | null {
  const token = paymentTokenOf(sale, payment_token_id)
  const priced = token && prices.get(token.symbol)
  if (token === undefined || priced === undefined) return null
  return usd(usdForUnits(amount, priced.price, token.decimals, 'up'))
}

/** The prices that buyers pay by, one for each coin, and when each was last known. */
export function listFeeds(sale: Sale, { prices }: Pick<Market, 'prices'>, now: Date) {
  const enabled = sale.paymentTokens.filter(({ isEnabled }) => isEnabled)
  const bySymbol = new Map(enabled.map((paymentToken) => [paymentToken.symbol, paymentToken]))
  return [...bySymbol].map(([symbol, paymentToken]) => {
    const last = lastPrice(prices, paymentToken, now)
    return {
      symbol,
      price: last?.price ?? null,
      fetchedAt: last?.fetchedAt ?? null,
      isFresh: last !== null && isFresh(last.fetchedAt, now),
    }
  })
}
