import { saleStatus } from '#domain/sale/stage.ts'
import { findAudit } from '#server/database/books/audits.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import { sumWithdrawable } from '#server/database/purchases/reversals.ts'
import { findClosedAt, sumRaised } from '#server/database/sale/soft-cap.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { countRefunds } from '#server/database/settlement/refunds.ts'
import { countUnmatched } from '#server/database/operators/unmatched.ts'
import { countLostPayments } from '#server/database/rails/gateway-payments.ts'
import { findReport, readPause } from '#server/database/sale/sale-pause.ts'
import type { Services } from '#server/services.ts'
import { hasCurrentSale } from '#server/use-cases/sale/require-current-sale.ts'
import { listChains, listDeliveryChains } from './list-chains.ts'

/** The soft cap and how far the sale has come towards it; null if it never had one. */
export async function readSoftCap({ database, sale: { softCap: cap } }: Services) {
  const closedAt = await findClosedAt(database)
  if (cap === null && closedAt === null) return null
  return { cap, raised: await sumRaised(database), closedAt }
}

export type SaleState = Awaited<ReturnType<typeof getSaleState>>

/** Read from the database, never from the cached market: operators see the present state. */
export async function getSaleState(services: Services) {
  const { database, sale, clock } = services
  const now = clock.now()
  const [market, pause, report, audit, refunds] = await Promise.all([
    loadMarket(database),
    readPause(database),
    findReport(database),
    findAudit(database),
    countRefunds(database),
  ])
  const [hasAppliedFile, unmatchedCount, lostPaymentCount, withdrawable, softCap] =
    await Promise.all([
      hasCurrentSale(services, database),
      countUnmatched(database),
      countLostPayments(database, now),
      sumWithdrawable(database, now),
      readSoftCap(services),
    ])
  const { progress, halt } = market
  const status = saleStatus(sale, progress, halt, now)
  const unpaused = saleStatus(sale, progress, null, now)
  return {
    version: services.settings.version,
    hasAppliedFile,
    status,
    stage: status.status !== 'ENDED' && unpaused.status === 'ACTIVE' ? unpaused.stage : null,
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
