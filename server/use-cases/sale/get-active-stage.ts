import {
  type Market,
  type PaymentToken,
  paymentTokenOf,
  type Sale,
  type Stage,
  type StageProgress,
} from '#domain/sale/sale.ts'
import { invariant } from '#domain/invariant.ts'
import { greatest, least, type Usd, usd } from '#domain/money.ts'
import { ordinaryMinimum, spendingLimits } from '#domain/sale/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import { progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'

export type StageView = Awaited<ReturnType<typeof getActiveStage>>

/**
 * The stage on sale, with its own minimum, or what is left of it if that is less; null if it has
 * none. Refuses with `SaleNotStarted`, `SalePaused`, `SaleEnded`.
 */
export async function getActiveStage(services: Services) {
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
  { progress, halt }: Market,
): { stage: Stage; progress: StageProgress } {
  const status = saleStatus(sale, progress, halt, clock.now())
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

/**
 * The least that can be spent in a payment token, whether a last remainder lowers it, the least
 * that its rail accepts at all, and whether anything can be spent now. Refuses with `NotFound` for
 * a token that the sale does not accept.
 */
export async function getTokenMinimum(
  services: Services,
  paymentTokenId: string,
): Promise<{ minimum: Usd; isLastRemainder: boolean; railMinimum: Usd; isAvailable: boolean }> {
  const { sale, rails, clock } = services
  const found = paymentTokenOf(sale, paymentTokenId)
  if (!found?.isEnabled) throw new Refusal('NotFound')
  const market = await services.market.read()
  const rail = rails.get(found.rail)
  const hasPrice = freshPrice(market.prices, found, clock.now()) !== null
  const hasRail = rail !== undefined && (rail.faultOf?.(found) ?? null) === null
  const { paymentToken, railMinimum } = await withRailMinimum(services, found)
  const lowest = minimumOf(services, paymentToken, railMinimum, market)
  return { ...lowest, railMinimum, isAvailable: hasPrice && hasRail }
}

/**
 * Its own minimum, or the price of the smallest unit if that is more, or what is left of the stage
 * if that is worth less than both this and the stage's minimum. So the larger of this and the
 * stage's own minimum is what booking requires. Never less than its rail accepts.
 */
function minimumOf(
  { sale, clock }: Services,
  paymentToken: PaymentToken,
  railMinimum: Usd,
  { progress, halt }: Market,
): { minimum: Usd; isLastRemainder: boolean } {
  const status = saleStatus(sale, progress, halt, clock.now())
  if (status.status !== 'ACTIVE') return { minimum: paymentToken.minUsd, isLastRemainder: false }
  const { stage } = status
  const stageProgress = progressOf(progress, stage)
  const { min, isLastRemainder } = spendingLimits(stage, stageProgress, paymentToken)
  const minimum = isLastRemainder
    ? greatest(min, railMinimum)
    : ordinaryMinimum({ ...stage, minUsd: null }, stageProgress, paymentToken)
  return { minimum, isLastRemainder }
}

/**
 * A payment token whose minimum is at least what its rail accepts, and that amount itself: zero if
 * the rail accepts anything. Less would be lost on the way, so not even the last remainder of a
 * stage can be bought for less.
 */
export async function withRailMinimum(
  { rails }: Services,
  paymentToken: PaymentToken,
): Promise<{ paymentToken: PaymentToken; railMinimum: Usd }> {
  const rail = rails.get(paymentToken.rail)
  const railMinimum = (await rail?.minimum?.(paymentToken)) ?? usd(0n)
  const minUsd = greatest(paymentToken.minUsd, railMinimum)
  return { paymentToken: { ...paymentToken, minUsd }, railMinimum }
}
