import type { Stage as WireStage } from '#contract/shapes.ts'
import {
  fromWireNumber,
  PERCENTAGE_DECIMALS,
  percentage,
  tokenAmount,
  USD_DECIMALS,
  usd,
  type Usd,
} from '#domain/money.ts'
import { type SpendingLimits, spendingLimits } from '#domain/quote.ts'
import type { Stage, StageBonuses } from '#domain/sale.ts'
import { baseUnits, wirePrice, wireUsd } from '#web/lib/wire-amount.ts'

export type SpendFault = 'empty' | 'tooLittle' | 'tooMuch'

/** What the server takes at most where the stage has no maximum: 12 digits before the point. */
const NUMBER_MOST = usd(10n ** BigInt(12 + USD_DECIMALS) - 1n)

/**
 * The limits of a purchase (specification section 5), by the rule that the server enforces. What is
 * reserved at this moment is not told to anybody, so a remainder may be smaller than it seems here;
 * the server then says so.
 */
export function stageLimits(
  stage: WireStage,
  paymentToken: { id: string; minimumUsd: number },
  tokenDecimals: number,
): SpendingLimits {
  const reserved = tokenAmount(0n)
  const sold = tokenAmount(baseUnits(stage.sold_tokens, tokenDecimals))
  const minUsd = wireUsd(paymentToken.minimumUsd)
  const token = { id: paymentToken.id, minUsd }
  return spendingLimits(stageAtItsPrice(stage, tokenDecimals), { reserved, sold }, token)
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
