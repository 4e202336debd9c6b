import {
  type BonusTokens,
  type BonusType,
  bonusTypes,
  type LockedBonuses,
  type StageBonuses,
} from '#domain/sale/bonus.ts'
import { type TokenAmount, tokenAmount, type Usd } from '#domain/money.ts'
import { Fraction } from './fraction.ts'

type Rates = Partial<Record<BonusType, bigint | null | undefined>>

/**
 * The table of bonuses in docs/money.md again, written differently: which of a stage's bonuses
 * somebody gets who spends an amount at an instant.
 */
export function expectedRates(
  bonuses: StageBonuses,
  buyer: {
    paymentTokenId: string
    now: Date
    signedUpAt: Date | null
    isFirstPurchase: boolean
    spent: Usd
  },
): Rates {
  const { limitedTime, signup } = bonuses
  const [nowMs, signedUpMs] = [Number(buyer.now), Number(buyer.signedUpAt)]
  const isInTime =
    limitedTime !== null && !(nowMs < +limitedTime.startsAt || nowMs >= +limitedTime.endsAt)
  const isNewcomer =
    buyer.signedUpAt !== null &&
    signup.limitedTime !== null &&
    !(nowMs - signedUpMs > signup.limitedTime.minutesAfterSignup * 60 * 1000)
  const reached = bonuses.spending.filter(({ from }) => !(from > buyer.spent))
  return {
    base_bonus: bonuses.base,
    spending_bonus: highestTier(reached),
    limited_time_bonus: isInTime ? limitedTime.rate : null,
    limited_time_signup_bonus: isNewcomer ? signup.limitedTime?.rate : null,
    first_purchase_bonus: buyer.isFirstPurchase ? signup.firstPurchase : null,
    tiered_fiat_bonus: Object.fromEntries(
      bonuses.paymentTokens.map(({ paymentTokenId, rate }) => [paymentTokenId, rate]),
    )[buyer.paymentTokenId],
  }
}

/** What a locked promise is worth for an amount of dollars and its base tokens. */
export function expectedBonuses(
  { flat, spending }: LockedBonuses,
  spent: Usd,
  base: TokenAmount,
): BonusTokens {
  const reached = spending.filter(({ from }) => !(from > spent))
  return bonusesByRates({ ...flat, spending_bonus: highestTier(reached) }, base)
}

/** Each rate's share of the base by exact fractions, in whole base units; only what is not zero. */
export function bonusesByRates(rates: Rates, base: TokenAmount): BonusTokens {
  const shares: BonusTokens = {}
  for (const type of bonusTypes) {
    const rate = Fraction.scaled(rates[type] ?? 0n, 4).over(new Fraction(100n))
    const share = new Fraction(base).times(rate).wholeUnits(0)
    if (share > 0n) shares[type] = tokenAmount(share)
  }
  return shares
}

function highestTier(reached: LockedBonuses['spending']): bigint | undefined {
  return reached.toSorted((one, other) => Number(other.from - one.from))[0]?.rate
}
