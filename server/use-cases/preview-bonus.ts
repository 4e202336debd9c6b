import type { BonusTokens } from '#domain/bonus.ts'
import { lockBonuses } from '#domain/bonus.ts'
import { bonusTokens } from '#domain/bonus.ts'
import { tokenAmount, unitsForUsd, type Usd } from '#domain/money.ts'
import { stagePrice } from '#domain/stage.ts'
import { isNextPurchaseFirst } from '#server/database/purchases.ts'
import type { Services } from '#server/services.ts'
import type { Caller } from './caller.ts'
import { requireActiveStage } from './get-active-stage.ts'
import { requireAccepted } from './require-accepted.ts'

/**
 * The bonuses that a purchase would get now, by the function that books it; with a login the
 * caller's own as well. Refuses with `UnknownPaymentToken`, `SaleNotStarted`, `SalePaused`,
 * `SaleEnded`.
 */
export async function previewBonus(
  services: Services,
  wish: { paymentTokenId: string; usd: Usd },
  caller: Caller | null,
): Promise<BonusTokens> {
  const { paymentTokenId, usd } = wish
  requireAccepted(services.sale, paymentTokenId)
  const { stage, progress } = requireActiveStage(services, await services.market.read())
  const isFirstPurchase =
    caller !== null && (await isNextPurchaseFirst(services.database, caller.userId))
  const locked = lockBonuses(stage.bonuses, {
    paymentTokenId,
    now: services.clock.now(),
    signedUpAt: caller?.user.createdAt ?? null,
    isFirstPurchase,
  })
  const tokenPrice = stagePrice(stage, progress.sold)
  const base = tokenAmount(unitsForUsd(usd, tokenPrice, stage.tokenDecimals, 'down'))
  return bonusTokens(locked, usd, base)
}
