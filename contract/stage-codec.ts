import type { Price, TokenAmount, Usd } from '#domain/money.ts'
import type { Stage } from '#domain/sale/sale.ts'
import type { StageBonuses } from '#domain/sale/bonus.ts'
import {
  instantFromWire,
  instantToWire,
  orNull,
  percentageFromWire,
  percentageToWire,
  priceFromWire,
  priceToWire,
  tokensFromWire,
  tokensToWire,
  usdFromWire,
  usdToWire,
} from './codec.ts'
import type { Stage as WireStage, StageBonuses as WireStageBonuses } from './shapes.ts'

export type StageOnSale = {
  stage: Stage
  tokenPrice: Price
  sold: TokenAmount
  /** The stage's own minimum, or what is left of the stage if that is less; null if it has none. */
  minUsd: Usd | null
}

export function stageToWire({ stage, tokenPrice, sold, minUsd }: StageOnSale): WireStage {
  return {
    id: stage.id,
    name: stage.name,
    type: stage.type,
    token_price: priceToWire(tokenPrice),
    total_tokens: tokensToWire(stage.supply, stage.tokenDecimals),
    sold_tokens: tokensToWire(sold, stage.tokenDecimals),
    start_date: instantToWire(stage.startsAt),
    end_date: orNull(stage.endsAt, instantToWire),
    min_fiat_amount: orNull(minUsd, usdToWire),
    max_fiat_amount: orNull(stage.maxUsd, usdToWire),
    bonuses: stageBonusesToWire(stage.bonuses),
  }
}

/**
 * The wire has neither the opening nor the final price: a decoded stage keeps its current price,
 * and its minimum is the current one. How its tokens are released is in the list of all stages.
 */
export function stageFromWire(wire: WireStage, tokenDecimals: number): StageOnSale {
  const tokenPrice = priceFromWire(wire.token_price)
  const minUsd = orNull(wire.min_fiat_amount, usdFromWire)
  const stage: Stage = {
    id: wire.id,
    name: wire.name,
    type: wire.type,
    tokenPrice,
    finalTokenPrice: tokenPrice,
    supply: tokensFromWire(wire.total_tokens, tokenDecimals),
    tokenDecimals,
    startsAt: instantFromWire(wire.start_date),
    endsAt: orNull(wire.end_date, instantFromWire),
    minUsd,
    maxUsd: orNull(wire.max_fiat_amount, usdFromWire),
    bonuses: stageBonusesFromWire(wire.bonuses),
    vesting: null,
  }
  return { stage, tokenPrice, sold: tokensFromWire(wire.sold_tokens, tokenDecimals), minUsd }
}

function stageBonusesToWire(bonuses: StageBonuses): WireStageBonuses {
  const { limitedTime, signup, referrals } = bonuses
  return {
    base_percentage: percentageToWire(bonuses.base),
    tiered_fiat: bonuses.spending.map(({ from, rate }) => ({
      amount: usdToWire(from),
      percentage: percentageToWire(rate),
    })),
    payment_tokens: bonuses.paymentTokens.map(({ paymentTokenId, rate }) => ({
      token_id: paymentTokenId,
      percentage: percentageToWire(rate),
    })),
    limited_time: orNull(limitedTime, ({ startsAt, endsAt, rate }) => ({
      start_date: instantToWire(startsAt),
      end_date: instantToWire(endsAt),
      percentage: percentageToWire(rate),
    })),
    signup: {
      first_purchase_percentage: percentageToWire(signup.firstPurchase),
      limited_time: orNull(signup.limitedTime, ({ minutesAfterSignup, rate }) => ({
        minutes_after_signup: minutesAfterSignup,
        percentage: percentageToWire(rate),
      })),
    },
    referrals: { earn: usdToWire(referrals.earn), spend: usdToWire(referrals.spend) },
  }
}

function stageBonusesFromWire(wire: WireStageBonuses): StageBonuses {
  return {
    base: percentageFromWire(wire.base_percentage),
    spending: wire.tiered_fiat.map((tier) => ({
      from: usdFromWire(tier.amount),
      rate: percentageFromWire(tier.percentage),
    })),
    paymentTokens: wire.payment_tokens.map((bonus) => ({
      paymentTokenId: bonus.token_id,
      rate: percentageFromWire(bonus.percentage),
    })),
    limitedTime: orNull(wire.limited_time, (limited) => ({
      startsAt: instantFromWire(limited.start_date),
      endsAt: instantFromWire(limited.end_date),
      rate: percentageFromWire(limited.percentage),
    })),
    signup: {
      firstPurchase: percentageFromWire(wire.signup.first_purchase_percentage),
      limitedTime: orNull(wire.signup.limited_time, (limited) => ({
        minutesAfterSignup: limited.minutes_after_signup,
        rate: percentageFromWire(limited.percentage),
      })),
    },
    referrals: { earn: usdFromWire(wire.referrals.earn), spend: usdFromWire(wire.referrals.spend) },
  }
}
