import type { PurchaseRequest } from '#domain/booking.ts'
import { invariant } from '#domain/invariant.ts'
import { spendingLimits } from '#domain/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import { requireActiveStage } from './get-active-stage.ts'
import { inDollars } from './in-dollars.ts'

/** The terms of a purchase, with the bonus for a first purchase and without. */
export type QuotedTerms = Pick<PurchaseRequest, 'terms' | 'firstTerms'>

/**
 * Refuses with `NoTokensLeft` what the stage has no tokens for, saying how much it has left.
 * Nothing is said where the stage has changed since the quote: that is a matter of quoting again.
 */
export async function requireRoom(
  services: Services,
  quoted: QuotedTerms,
  isFirst: boolean,
): Promise<void> {
  const { stage, progress } = requireActiveStage(services, await services.market.read())
  const terms = isFirst ? quoted.firstTerms : quoted.terms
  const paymentToken = services.sale.paymentTokens.find(({ id }) => id === terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A purchase is quoted in a token of the sale.')
  const { available } = spendingLimits(stage, progress, paymentToken, terms.lockedBonuses)
  if (stage.id !== terms.stageId || available >= terms.usd) return
  if (available <= 0n) throw new Refusal('NoTokensLeft')
  throw new Refusal('NoTokensLeft', {
    message: `Only $${inDollars(available)} worth of tokens are left right now`,
  })
}
