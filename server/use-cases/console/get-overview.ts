import { isFresh } from '#domain/sale/price.ts'
import { type Price, type Usd, usd, usdForUnits } from '#domain/money.ts'
import { type Market, paymentTokenOf, type Sale, type Stage } from '#domain/sale/sale.ts'
import type { StageStatus, StageProgress } from '#domain/sale/sale.ts'
import { progressOf, stageStatuses } from '#domain/sale/stage.ts'
import { type MailState, readMailState } from '#server/database/books/mail-state.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import {
  type Funnel,
  readFunnel,
  readSaleSums,
  type SaleSums,
} from '#server/database/sale/sale-sums.ts'
import { type OwedAsset, sumOwed } from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'
import { getSaleState, type SaleState } from '#server/use-cases/operations/get-sale-state.ts'

const OVERVIEW_DAYS = 30
const DAY_MS = 86_400_000

/** When each price that buyers pay by was last agreed on. */
export type FeedState = {
  symbol: string
  price: Price | null
  fetchedAt: Date | null
  isFresh: boolean
}

export type Overview = {
  readAt: Date
  state: SaleState
  sums: SaleSums
  /** The first of the days in `sums.byDay`, and how many there are. */
  days: readonly string[]
  funnel: Funnel
  stages: readonly { stage: Stage; status: StageStatus; progress: StageProgress }[]
  owed: readonly (OwedAsset & { usd: Usd | null })[]
  feeds: readonly FeedState[]
  mails: MailState
}

/** The state of the sale, from running totals. */
export async function getOverview(services: Services): Promise<Overview> {
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
    stages: stageStatuses(sale, market.progress, market.isPaused, now).map((each) => ({
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

export function listFeeds(sale: Sale, { prices }: Pick<Market, 'prices'>, now: Date): FeedState[] {
  const enabled = sale.paymentTokens.filter(({ isEnabled }) => isEnabled)
  return [...new Set(enabled.map(({ symbol }) => symbol))].map((symbol) => {
    const priced = prices.get(symbol)
    if (priced === undefined) return { symbol, price: null, fetchedAt: null, isFresh: false }
    const { price, fetchedAt } = priced
    return { symbol, price, fetchedAt, isFresh: isFresh(fetchedAt, now) }
  })
}
