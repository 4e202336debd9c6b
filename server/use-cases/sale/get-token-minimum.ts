import { type Market, type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import { greatest, type Usd, usd } from '#domain/money.ts'
import { ordinaryMinimum, spendingLimits } from '#domain/sale/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import { isFresh, PRICE_AGE_MAX_MS } from '#domain/sale/price.ts'
import { progressOf, saleStatus } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/**
 * The least that can be spent in a payment token, the least that its rail accepts at all, and
 * whether anything can be spent now. Refuses with `NotFound` for a token that the sale does not
 * accept.
 */
export async function getTokenMinimum(
  services: Services,
  paymentTokenId: string,
): Promise<{ minimum: Usd; railMinimum: Usd; isAvailable: boolean }> {
  const { sale, rails, clock } = services
  const found = paymentTokenOf(sale, paymentTokenId)
  if (!found?.isEnabled) throw new Refusal('NotFound')
  const market = await services.market.read()
  const priced = market.prices.get(found.symbol)
  const rail = rails.get(found.rail)
  const hasPrice = priced !== undefined && isFresh(priced.fetchedAt, clock.now(), PRICE_AGE_MAX_MS)
  const hasRail = rail !== undefined && (rail.faultOf?.(found) ?? null) === null
  const { paymentToken, railMinimum } = await withRailMinimum(services, found)
  const minimum = minimumOf(services, paymentToken, railMinimum, market)
  return { minimum, railMinimum, isAvailable: hasPrice && hasRail }
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
  { progress, isPaused }: Market,
): Usd {
  const status = saleStatus(sale, progress, isPaused, clock.now())
  if (status.status !== 'ACTIVE') return paymentToken.minUsd
  const { stage } = status
  const stageProgress = progressOf(progress, stage)
  const { min, isLastRemainder } = spendingLimits(stage, stageProgress, paymentToken)
  return isLastRemainder
    ? greatest(min, railMinimum)
    : ordinaryMinimum({ ...stage, minUsd: null }, stageProgress, paymentToken)
}

/**
 * A payment token whose minimum is at least what its rail accepts, and that amount itself: zero if
 * the rail accepts anything. Less would be lost on the way, so not even the last remainder of a
 * stage can be bought for less.
 */
export async function withRailMinimum(
  { rails }: Pick<Services, 'rails'>,
  paymentToken: PaymentToken,
): Promise<{ paymentToken: PaymentToken; railMinimum: Usd }> {
  const rail = rails.get(paymentToken.rail)
  const railMinimum = (await rail?.minimum?.(paymentToken)) ?? usd(0n)
  const minUsd = greatest(paymentToken.minUsd, railMinimum)
  return { paymentToken: { ...paymentToken, minUsd }, railMinimum }
}
