import type { Stage } from '#domain/sale/sale.ts'
import { type SaleStatus, saleStatus } from '#domain/sale/stage.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { countRefunds, type RefundCounts } from '#server/database/settlement/refunds.ts'
import {
  findReport,
  readPause,
  type SalePause,
  type StoredReport,
} from '#server/database/sale/sale-pause.ts'
import type { Services } from '#server/services.ts'
import { type ChainState, listChains } from './list-chains.ts'

/** The state of the sale, for operators. */
export type SaleState = {
  status: SaleStatus
  /** What is on sale, or would be if the sale were not paused. */
  stage: Stage | null
  pause: SalePause
  /** What the last check of the invariants found. */
  report: StoredReport | null
  /** How many refunds are owed, were paid, and were paid for money that has gone since. */
  refunds: RefundCounts
  chains: readonly ChainState[]
}

/** Read from the database, never from the cached market: an operator sees the present. */
export async function getSaleState(services: Services): Promise<SaleState> {
  const { database, sale, clock } = services
  const [market, pause, report, refunds] = await Promise.all([
    loadMarket(database),
    readPause(database),
    findReport(database),
    countRefunds(database),
  ])
  const { progress } = market
  const now = clock.now()
  const unpaused = saleStatus(sale, progress, false, now)
  return {
    status: saleStatus(sale, progress, pause.isPaused, now),
    stage: unpaused.status === 'ACTIVE' ? unpaused.stage : null,
    pause,
    report,
    refunds,
    chains: await listChains(services, market),
  }
}
