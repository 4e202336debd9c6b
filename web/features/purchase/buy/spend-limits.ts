import type { Stage as WireStage } from '#contract/shapes.ts'
import { lockBonuses, type LockedBonuses } from '#domain/sale/bonus.ts'
import {
  fromWireNumber,
  least,
  PERCENTAGE_DECIMALS,
  percentage,
  tokenAmount,
  USD_DECIMALS,
  usd,
  type Usd,
} from '#domain/money.ts'
import { type SpendingLimits, spendingLimits } from '#domain/sale/quote.ts'
import type { Stage, StageBonuses } from '#domain/sale/sale.ts'
import { baseUnits, wirePrice, wireUsd } from '#web/lib/api/wire-amount.ts'

export type SpendFault = 'empty' | 'tooLittle' | 'tooMuch'

/** What the server takes at most where the stage has no maximum: 12 digits before the point. */
const NUMBER_MOST = usd(10n ** BigInt(12 + USD_DECIMALS) - 1n)

export type BuyLimits = SpendingLimits & {
  /** What nobody can spend more than: the stage's maximum, or what is unsold; null for no bound. */
  most: Usd | null
}

/**
 * The limits of a purchase (specification section 5), by the rule that the server enforces. What is
 * reserved at this moment is not told to anybody, so a remainder may be smaller than it seems here;
 * the preview of the bonuses then says so.
 */
export function stageLimits(
  stage: WireStage,
  paymentToken: { id: string; minimumUsd: number },
  tokenDecimals: number,
): BuyLimits {
  const reserved = tokenAmount(0n)
  const sold = tokenAmount(baseUnits(stage.sold_tokens, tokenDecimals))
  const token = { id: paymentToken.id, minUsd: wireUsd(paymentToken.minimumUsd) }
  const atItsPrice = stageAtItsPrice(stage, tokenDecimals)
  const limitsWith = (locked?: LockedBonuses) =>
    spendingLimits(atItsPrice, { reserved, sold }, token, locked)
  const limits = limitsWith()
  // The minimums that the server tells have given way to a last remainder already.
  const isLastRemainder = limits.isLastRemainder || limits.available <= limits.min
  const { available: unsold } = limitsWith(leastBonuses(atItsPrice.bonuses, token.id))
  const bound = limits.max ?? (isLastRemainder ? unsold : null)
  return { ...limits, isLastRemainder, most: bound === null ? null : least(bound, unsold) }
}

/** What every buyer gets, at any time: whoever has more pays less for the rest of a stage. */
function leastBonuses(bonuses: StageBonuses, paymentTokenId: string): LockedBonuses {
  const whenever = { now: new Date(0), signedUpAt: null, isFirstPurchase: false }
  return lockBonuses({ ...bonuses, limitedTime: null }, { paymentTokenId, ...whenever })
}

/** What is wrong with an amount; null where nothing is. A null amount is an empty field. */
export function spendFault(
  amount: Usd | null,
  limits: Pick<SpendingLimits, 'min' | 'max'> | null,
): SpendFault | null {
  if (amount === null) return 'empty'
  if (amount > mostToSpend(limits)) return 'tooMuch'
  if (limits === null) return null
  return amount < limits.min || amount === 0n ? 'tooLittle' : null
}

/** The most that a purchase may be; while the limits are unknown, what can be said at all. */
export function mostToSpend(limits: Pick<SpendingLimits, 'max'> | null): Usd {
  return limits?.max ?? NUMBER_MOST
}

/** The stage as the rules read it, standing still at the price it has now. */
function stageAtItsPrice(stage: WireStage, tokenDecimals: number): Stage {
  const price = wirePrice(stage.token_price)
  return {
    id: stage.id,
    name: stage.name,
    type: 'fixed',
    tokenPrice: price,
    finalTokenPrice: price,
    supply: tokenAmount(baseUnits(stage.total_tokens, tokenDecimals)),
    tokenDecimals,
    startsAt: new Date(stage.start_date),
    endsAt: stage.end_date === null ? null : new Date(stage.end_date),
    minUsd: stage.min_fiat_amount === null ? null : wireUsd(stage.min_fiat_amount),
    maxUsd: stage.max_fiat_amount === null ? null : wireUsd(stage.max_fiat_amount),
    bonuses: bonusesOf(stage),
  }
}

function bonusesOf({ bonuses }: WireStage): StageBonuses {
  const { limited_time: limitedTime, signup, referrals } = bonuses
  return {
    base: rate(bonuses.base_percentage),
    spending: bonuses.tiered_fiat.map((tier) => ({
      from: wireUsd(tier.amount),
      rate: rate(tier.percentage),
    })),
    paymentTokens: bonuses.payment_tokens.map((bonus) => ({
      paymentTokenId: bonus.token_id,
      rate: rate(bonus.percentage),
    })),
    limitedTime: limitedTime && {
      startsAt: new Date(limitedTime.start_date),
      endsAt: new Date(limitedTime.end_date),
      rate: rate(limitedTime.percentage),
    },
    signup: {
      firstPurchase: rate(signup.first_purchase_percentage),
      limitedTime: signup.limited_time && {
        minutesAfterSignup: signup.limited_time.minutes_after_signup,
        rate: rate(signup.limited_time.percentage),
      },
    },
    referrals: { earn: wireUsd(referrals.earn), spend: wireUsd(referrals.spend) },
  }
}

const rate = (value: number) => percentage(fromWireNumber(value, PERCENTAGE_DECIMALS) ?? 0n)
