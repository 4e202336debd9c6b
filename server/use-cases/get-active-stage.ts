import type { Market } from '#domain/market.ts'
import { type Price, type TokenAmount, type Usd, usd } from '#domain/money.ts'
import { spendingLimits } from '#domain/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Stage, StageProgress } from '#domain/sale.ts'
import { progressOf, saleStatus, stagePrice } from '#domain/stage.ts'
import type { Services } from '#server/services.ts'

/** The stage that is on sale, as it stands. */
export type StageView = {
  stage: Stage
  tokenPrice: Price
  sold: TokenAmount
  /** The stage's own minimum, or what is left of it where that is less; null where it has none. */
  minUsd: Usd | null
}

/** Refuses with `SaleNotStarted`, `SalePaused`, `SaleEnded`. */
export async function getActiveStage(services: Services): Promise<StageView> {
  const { stage, progress } = requireActiveStage(services, await services.market.read())
  const limits = spendingLimits(stage, progress, { id: '', minUsd: usd(0n) })
  return {
    stage,
    tokenPrice: stagePrice(stage, progress.sold),
    sold: progress.sold,
    minUsd: stage.minUsd === null ? null : limits.min,
  }
}

/** Refuses with `SaleNotStarted`, `SalePaused`, `SaleEnded`. */
export function requireActiveStage(
  { sale, clock }: Services,
  { progress, isPaused }: Market,
): { stage: Stage; progress: StageProgress } {
  const status = saleStatus(sale, progress, isPaused, clock.now())
  switch (status.status) {
    case 'NOT_STARTED':
      throw new Refusal('SaleNotStarted', { startsAt: status.startsAt })
    case 'PAUSED':
      throw new Refusal('SalePaused')
    case 'ENDED':
      throw new Refusal('SaleEnded')
    case 'ACTIVE':
      return { stage: status.stage, progress: progressOf(progress, status.stage) }
  }
}
