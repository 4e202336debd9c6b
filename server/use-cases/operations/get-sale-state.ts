import type { Stage } from '#domain/sale/sale.ts'
import { type SaleStatus, saleStatus } from '#domain/sale/stage.ts'
import { findAudit, type StoredAudit } from '#server/database/books/audits.ts'
import type { Usd } from '#domain/money.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import { sumWithdrawable, type WithdrawableSum } from '#server/database/purchases/reversals.ts'
import { findClosedAt, sumRaised } from '#server/database/sale/soft-cap.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { countRefunds, type RefundCounts } from '#server/database/settlement/refunds.ts'
import { countUnmatched } from '#server/database/operators/inbox.ts'
import { countLostPayments } from '#server/database/rails/gateway-payments.ts'
import {
  findReport,
  readPause,
  type SalePause,
  type StoredReport,
} from '#server/database/sale/sale-pause.ts'
import type { Services } from '#server/services.ts'
import { type ChainState, listChains, listDeliveryChains } from './list-chains.ts'

export type SoftCapState = {
  /** Null if the sale file no longer has one. */
  cap: Usd | null
  raised: Usd
  /** When the sale was closed below it. */
  closedAt: Date | null
}

/** The soft cap and how far the sale has come towards it; null if it has none. */
export async function readSoftCap({
  database,
  sale: { softCap: cap },
}: Pick<Services, 'database' | 'sale'>): Promise<SoftCapState | null> {
  const closedAt = await findClosedAt(database)
  if (cap === null && closedAt === null) return null
  return { cap, raised: await sumRaised(database), closedAt }
}

export type SaleState = {
  status: SaleStatus
  /** The stage that is on sale, or would be if the sale were not paused. */
  stage: Stage | null
  pause: SalePause
  /** What the last check of the invariants found. */
  report: StoredReport | null
  /** The last complete audit. */
  audit: StoredAudit | null
  /** How many refunds are owed, were paid, and were paid for money that is gone by now. */
  refunds: RefundCounts
  /** Transfers to addresses of ours that belong to no purchase and that nobody has put away. */
  unmatchedCount: number
  /** Payments at gateways that may or may not have been made. */
  lostPaymentCount: number
  /** The purchases that can still be withdrawn from, by payment token. */
  withdrawable: readonly WithdrawableSum[]
  /** Null if the sale has no soft cap and was not closed. */
  softCap: SoftCapState | null
  /** The number of the last snapshot; null before the books are closed. */
  snapshot: number | null
  chains: readonly ChainState[]
}

/** Read from the database, never from the cached market: operators see the present state. */
export async function getSaleState(services: Services): Promise<SaleState> {
  const { database, sale, clock } = services
  const now = clock.now()
  const [market, pause, report, audit, refunds] = await Promise.all([
    loadMarket(database),
    readPause(database),
    findReport(database),
    findAudit(database),
    countRefunds(database),
  ])
  const [unmatchedCount, lostPaymentCount, withdrawable, softCap] = await Promise.all([
    countUnmatched(database),
    countLostPayments(database, now),
    sumWithdrawable(database, now),
    readSoftCap(services),
  ])
  const { progress } = market
  const unpaused = saleStatus(sale, progress, false, now)
  return {
    status: saleStatus(sale, progress, pause.isPaused, now),
    stage: unpaused.status === 'ACTIVE' ? unpaused.stage : null,
    pause,
    report,
    audit,
    refunds,
    unmatchedCount,
    lostPaymentCount,
    withdrawable,
    softCap,
    snapshot: (await findLastSnapshot(database))?.number ?? null,
    chains: [...(await listChains(services, market)), ...(await listDeliveryChains(services))],
  }
}
