import type { StageOnSale } from '#contract/stage-codec.ts'
import { greatest, least, tokenAmount, USD_DECIMALS, usd, type Usd } from '#domain/money.ts'
import { lockBonuses, type LockedBonuses, type StageBonuses } from '#domain/sale/bonus.ts'
import { type SpendingLimits, spendingLimits } from '#domain/sale/quote.ts'

export type SpendFault = 'empty' | 'tooLittle' | 'tooMuch'

/** The most that the server accepts if the stage has no maximum: 12 digits before the point. */
const NUMBER_MOST = usd(10n ** BigInt(12 + USD_DECIMALS) - 1n)

export type BuyLimits = SpendingLimits & {
  /** The most that the stage's maximum and what is unsold leave room for. */
  room: Usd
  /**
   * The same, if it is worth saying: null for a stage without maximum that has plenty left, and for
   * a last remainder that others' reservations make.
   */
  most: Usd | null
  /** True if less is left than can be sent in the payment token at all. */
  isBelowRail: boolean
}

/** Of a payment token, from the wire: lowered to a last remainder if one is left. */
type TokenMinimum = { id: string; minUsd: Usd; railMinUsd: Usd; isLastRemainder: boolean }

/**
 * The limits of a purchase (specification section 5), by the rule that the server enforces. Present
 * reservations are not on the wire, so a remainder may be smaller than it seems here; the preview
 * of the bonuses then says so. That they leave a last remainder, the token's minimum says.
 */
export function stageLimits(
  { stage, sold }: StageOnSale,
  { railMinUsd, isLastRemainder: isLastByServer, ...paymentToken }: TokenMinimum,
): BuyLimits {
  const limitsWith = (locked?: LockedBonuses) =>
    spendingLimits(stage, { reserved: tokenAmount(0n), sold }, paymentToken, locked)
  const limits = limitsWith()
  const isLastRemainder = limits.isLastRemainder || isLastByServer
  const { available: unsold } = limitsWith(leastBonuses(stage.bonuses, paymentToken.id))
  const room = least(limits.max ?? unsold, unsold)
  // Of a last remainder with more than the minimum unsold, an unknown part is reserved.
  const isMostShown = isLastRemainder ? limits.available <= limits.min : limits.max !== null
  const isBelowRail = unsold < railMinUsd
  return {
    ...limits,
    min: isBelowRail ? limits.min : greatest(limits.min, railMinUsd),
    isLastRemainder,
    room,
    most: isMostShown ? room : null,
    isBelowRail,
  }
}

/**
 * What every buyer gets, at any time: buyers with more bonuses pay less for the rest of a stage.
 */
function leastBonuses(bonuses: StageBonuses, paymentTokenId: string): LockedBonuses {
  const whenever = { now: new Date(0), signedUpAt: null, isFirstPurchase: false }
  return lockBonuses({ ...bonuses, limitedTime: null }, { paymentTokenId, ...whenever })
}

/** What is wrong with an amount; null if nothing is. A null amount is an empty field. */
export function spendFault(
  amount: Usd | null,
  limits: Pick<SpendingLimits, 'min' | 'max'>,
): SpendFault | null {
  if (amount === null) return 'empty'
  if (amount > mostToSpend(limits)) return 'tooMuch'
  return amount < limits.min || amount === 0n ? 'tooLittle' : null
}

/** The most that a purchase may be. */
export function mostToSpend({ max }: Pick<SpendingLimits, 'max'>): Usd {
  return max ?? NUMBER_MOST
}
