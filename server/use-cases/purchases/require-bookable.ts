import type { LockedBonuses } from '#domain/sale/bonus.ts'
import type { QuotedTerms } from '#domain/sale/booking.ts'
import { invariant } from '#domain/invariant.ts'
import type { Usd } from '#domain/money.ts'
import { spendingLimits, tokensFor } from '#domain/sale/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  type PaymentToken,
  paymentTokenOf,
  type Sale,
  type Stage,
  type StageProgress,
} from '#domain/sale/sale.ts'
import { isDust, remaining } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'
import { usdText } from '#server/use-cases/sale/amount-texts.ts'
import { requireActiveStage } from '#server/use-cases/sale/get-active-stage.ts'
import { type Buyer, requireReservable } from './require-reservable.ts'

/**
 * The payment token with an id, if it can be used to buy now. Refuses with `UnknownPaymentToken` if
 * the sale has none with that id, or has switched it off.
 */
export function requireAccepted(sale: Sale, id: string): PaymentToken {
  const paymentToken = paymentTokenOf(sale, id)
  if (paymentToken === undefined) throw new Refusal('UnknownPaymentToken')
  if (!paymentToken.isEnabled) {
    const message = `${paymentToken.name} is not accepted at the moment. Choose another payment token`
    throw new Refusal('UnknownPaymentToken', { message })
  }
  return paymentToken
}

/**
 * Refuses with `NoTokensLeft` if the stage has too few tokens, saying how much is left, and refuses
 * what would break a bound on unpaid reservations. Passes if the stage has changed since the quote:
 * then the caller quotes again.
 */
export async function requireRoom(
  services: Services,
  quoted: QuotedTerms,
  isFirst: boolean,
  buyer: Buyer,
): Promise<void> {
  const active = requireActiveStage(services, await services.market.readNow())
  const terms = isFirst ? quoted.firstTerms : quoted.terms
  const paymentToken = paymentTokenOf(services.sale, terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A purchase is quoted in a token of the sale.')
  if (active.stage.id !== terms.stageId) return
  await requireBookable(
    services,
    active,
    paymentToken,
    { ...terms, locked: terms.lockedBonuses },
    buyer,
  )
}

/**
 * Refuses what booking would refuse at this moment, for lack of tokens or for a bound on what is
 * unpaid.
 */
export async function requireBookable(
  services: Services,
  active: { stage: Stage; progress: StageProgress },
  paymentToken: PaymentToken,
  { usd, locked }: { usd: Usd; locked: LockedBonuses },
  buyer: Buyer,
): Promise<void> {
  const { stage, progress } = active
  const left = remaining(stage, progress)
  const tokens = tokensFor(usd, stage, progress, locked).total
  if (tokens > left) {
    const { available } = spendingLimits(stage, progress, paymentToken, locked)
    if (available <= 0n || isDust(stage, progress, left)) throw new Refusal('NoTokensLeft')
    throw new Refusal('NoTokensLeft', {
      message: `Only ${usdText(available)} worth of tokens are left right now`,
    })
  }
  await requireReservable(services, active, { usd, tokens, paymentToken, locked }, buyer)
}
