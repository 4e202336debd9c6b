import { greatest, type Usd } from '#domain/money.ts'
import { ordinaryMinimum, spendingLimits } from '#domain/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import { progressOf, saleStatus } from '#domain/stage.ts'
import type { Services } from '#server/services.ts'
import { withRailMinimum } from './rail-minimum.ts'

/**
 * The least that can be spent in a payment token: its own minimum, or the price of the smallest
 * unit where that is more, or what is left of the stage where that is worth less than the larger
 * of its and the stage's minimum. So the larger of this and the stage's own is what booking asks
 * for. Never less than its rail can take. Refuses with `NotFound` for a token that the sale does
 * not accept.
 */
export async function getTokenMinimum(services: Services, paymentTokenId: string): Promise<Usd> {
  const { sale, clock } = services
  const found = sale.paymentTokens.find(({ id }) => id === paymentTokenId)
  if (!found?.isEnabled) throw new Refusal('NotFound')
  const { paymentToken, railMinimum } = await withRailMinimum(services, found)
  const { progress, isPaused } = await services.market.read()
  const status = saleStatus(sale, progress, isPaused, clock.now())
  if (status.status !== 'ACTIVE') return paymentToken.minUsd
  const { stage } = status
  const stageProgress = progressOf(progress, stage)
  const { min, isLastRemainder } = spendingLimits(stage, stageProgress, paymentToken)
  return isLastRemainder
    ? greatest(min, railMinimum)
    : ordinaryMinimum({ ...stage, minUsd: null }, stageProgress, paymentToken)
}
