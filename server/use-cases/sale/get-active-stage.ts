import type { Market, Sale, Stage, StageProgress } from '#domain/sale/sale.ts'
import { invariant } from '#domain/invariant.ts'
import { least, type Price, type TokenAmount, type Usd, usd } from '#domain/money.ts'
import { spendingLimits } from '#domain/sale/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import { progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/** The stage that is on sale. */
export type StageView = {
  stage: Stage
  tokenPrice: Price
  sold: TokenAmount
  /** The stage's own minimum, or what is left of it if that is less; null if it has none. */
  minUsd: Usd | null
}

/** Refuses with `SaleNotStarted`, `SalePaused`, `SaleEnded`. */
export async function getActiveStage(services: Services): Promise<StageView> {
  const { stage, progress } = requireActiveStage(services, await services.market.read())
  return {
    stage,
    tokenPrice: stagePrice(stage, progress.sold),
    sold: progress.sold,
    minUsd: stage.minUsd === null ? null : leastMinimum(services.sale, stage, progress),
  }
}

/**
 * The stage's minimum for a buyer who may choose the payment token: a last remainder costs least in
 * the token with the largest bonus. What a token then requires may be more, never less.
 */
function leastMinimum({ paymentTokens }: Sale, stage: Stage, progress: StageProgress): Usd {
  const minimums = paymentTokens
    .filter(({ isEnabled }) => isEnabled)
    .map(({ id }) => spendingLimits(stage, progress, { id, minUsd: usd(0n) }).min)
  const [first, ...others] = minimums
  invariant(first !== undefined, 'A sale has at least one payment token that is enabled.')
  return least(first, ...others)
}

/** Refuses with `SaleNotStarted`, `SalePaused`, `SaleEnded`. */
export function requireActiveStage(
  { sale, clock }: Services,
  { progress, isPaused }: Market,
): { stage: Stage; progress: StageProgress } {
  const status = saleStatus(sale, progress, isPaused, clock.now())
  switch (status.status) {
    case 'NOT_STARTED':
      throw notStarted(sale, status.startsAt)
    case 'PAUSED':
      throw new Refusal('SalePaused')
    case 'ENDED':
      throw new Refusal('SaleEnded')
    case 'ACTIVE':
      return { stage: status.stage, progress: progressOf(progress, status.stage) }
  }
}

/** Between two stages the sale has begun, but nothing is on sale. */
function notStarted({ stages }: Sale, startsAt: Date): Refusal {
  const isBetweenStages = stages[0] !== undefined && startsAt > stages[0].startsAt
  const message = 'The next stage of the token sale has not started yet'
  return new Refusal('SaleNotStarted', {
    startsAt,
    isBetweenStages,
    ...(isBetweenStages && { message }),
  })
}
