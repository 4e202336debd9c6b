import { type BonusTokens, lockBonuses } from '#domain/sale/bonus.ts'
import type { Usd } from '#domain/money.ts'
import { tokensFor } from '#domain/sale/quote.ts'
import { isNextPurchaseFirst } from '#server/database/purchases/purchases.ts'
import type { Caller, Client } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { requireActiveStage } from '#server/use-cases/sale/get-active-stage.ts'
import {
  type Buyer,
  connectionHashOf,
  requireAccepted,
  requireBookable,
} from './require-bookable.ts'

/**
 * The bonuses that a purchase would get now, from the function that books it; with a login, the
 * caller's own as well. An amount that could not be booked is refused as booking would refuse it,
 * so that buyers learn how much is left before paying. Without a login this never queries the
 * database, so of the bounds on unpaid purchases only the overall share counts. Refuses with
 * `UnknownPaymentToken`, `SaleNotStarted`, `SalePaused`, `SaleEnded`, `NoTokensLeft`, `Busy`, and
 * for a bound on what is reserved and not paid.
 */
export async function previewBonus(
  services: Services,
  input: { paymentTokenId: string; usd: Usd },
  caller: Caller | null,
  client: Client,
): Promise<BonusTokens> {
  const { paymentTokenId, usd } = input
  const paymentToken = requireAccepted(services.sale, paymentTokenId)
  const market = await (caller === null ? services.market.read() : services.market.readNow())
  const active = requireActiveStage(services, market)
  const isFirstPurchase =
    caller !== null && (await isNextPurchaseFirst(services.database, caller.userId))
  const locked = lockBonuses(active.stage.bonuses, {
    paymentTokenId,
    now: services.clock.now(),
    signedUpAt: caller?.user.createdAt ?? null,
    isFirstPurchase,
  })
  await requireBookable(
    services,
    active,
    paymentToken,
    { usd, locked },
    buyerOf(services, caller, client),
  )
  return tokensFor(usd, active.stage, active.progress, locked).bonuses
}

function buyerOf({ settings }: Services, caller: Caller | null, client: Client): Buyer {
  if (caller === null) return { userId: null, connectionHash: null }
  const connectionHash = connectionHashOf(settings.secretKey, client)
  return { userId: caller.userId, connectionHash }
}
