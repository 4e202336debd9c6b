import {
  add,
  type Percentage,
  percentOf,
  type TokenAmount,
  tokenAmount,
  type Usd,
} from '#domain/money.ts'

export const bonusTypes = [
  'base_bonus',
  'spending_bonus',
  'limited_time_bonus',
  'limited_time_signup_bonus',
  'first_purchase_bonus',
  'tiered_fiat_bonus',
] as const
export type BonusType = (typeof bonusTypes)[number]

/** Tokens by bonus type; only the types that apply. */
export type BonusTokens = Partial<Record<BonusType, TokenAmount>>

export type StageBonuses = {
  base: Percentage
  /** In ascending order; the highest tier that the amount reaches counts. */
  spending: readonly { from: Usd; rate: Percentage }[]
  paymentTokens: readonly { paymentTokenId: string; rate: Percentage }[]
  limitedTime: { startsAt: Date; endsAt: Date; rate: Percentage } | null
  signup: {
    firstPurchase: Percentage
    limitedTime: { minutesAfterSignup: number; rate: Percentage } | null
  }
  referrals: { earn: Usd; spend: Usd }
}

/**
 * The bonuses for which a buyer qualifies at one moment. What they are worth depends only on the
 * amount, so that a preview, a booking and a settlement for what was really paid agree.
 */
export type LockedBonuses = {
  flat: Partial<Record<Exclude<BonusType, 'spending_bonus'>, Percentage>>
  spending: readonly { from: Usd; rate: Percentage }[]
}

/** What bonuses need to know about a buyer. A visitor who is not logged in has no `signedUpAt`. */
export type BonusBuyer = {
  paymentTokenId: string
  now: Date
  signedUpAt: Date | null
  /** True only if it is known that the buyer has no open or completed purchase. */
  isFirstPurchase: boolean
}

const MINUTE_MS = 60_000

/**
 * The bonuses for which a buyer qualifies now. A span of dates includes its beginning but not its
 * end; the minutes after signing up include the last instant.
 */
export function lockBonuses(bonuses: StageBonuses, buyer: BonusBuyer): LockedBonuses {
  const rates: Record<keyof LockedBonuses['flat'], Percentage | undefined> = {
    base_bonus: bonuses.base,
    limited_time_bonus: limitedTimeRate(bonuses, buyer),
    limited_time_signup_bonus: signupRate(bonuses, buyer),
    first_purchase_bonus: buyer.isFirstPurchase ? bonuses.signup.firstPurchase : undefined,
    tiered_fiat_bonus: paymentTokenRate(bonuses, buyer.paymentTokenId),
  }
  return { flat: onlyPositive(rates), spending: bonuses.spending }
}

/** Everything that a stage could grant to anybody who pays in a token: the upper limit. */
export function mostGenerousBonuses(bonuses: StageBonuses, paymentTokenId: string): LockedBonuses {
  const rates: Record<keyof LockedBonuses['flat'], Percentage | undefined> = {
    base_bonus: bonuses.base,
    limited_time_bonus: bonuses.limitedTime?.rate,
    limited_time_signup_bonus: bonuses.signup.limitedTime?.rate,
    first_purchase_bonus: bonuses.signup.firstPurchase,
    tiered_fiat_bonus: paymentTokenRate(bonuses, paymentTokenId),
  }
  return { flat: onlyPositive(rates), spending: bonuses.spending }
}

/** The same bonuses without the one for a first purchase, which another purchase has by now. */
export function withoutFirstPurchase(locked: LockedBonuses): LockedBonuses {
  const { first_purchase_bonus: _lost, ...flat } = locked.flat
  return { flat, spending: locked.spending }
}

/**
 * The bonus tokens for an amount in dollars and its base tokens: each a percentage of the base,
 * rounded down separately, and only those of at least one base unit. The preview, the booking and
 * the settlement for what was really paid all call this.
 */
export function bonusTokens(locked: LockedBonuses, usd: Usd, base: TokenAmount): BonusTokens {
  const tokens: BonusTokens = {}
  for (const type of bonusTypes) {
    const rate = type === 'spending_bonus' ? spendingRate(locked, usd) : locked.flat[type]
    const amount = rate === undefined ? 0n : percentOf(base, rate)
    if (amount > 0n) tokens[type] = tokenAmount(amount)
  }
  return tokens
}

export function sumBonuses(tokens: BonusTokens): TokenAmount {
  return add(tokenAmount(0n), ...Object.values(tokens))
}

/** The rate of the highest tier that the amount reaches, in whatever order they are listed. */
function spendingRate({ spending }: LockedBonuses, usd: Usd): Percentage | undefined {
  let highest: LockedBonuses['spending'][number] | undefined
  for (const tier of spending) {
    if (usd >= tier.from && (highest === undefined || tier.from > highest.from)) highest = tier
  }
  return highest?.rate
}

function limitedTimeRate({ limitedTime }: StageBonuses, { now }: BonusBuyer) {
  if (limitedTime === null) return undefined
  return now >= limitedTime.startsAt && now < limitedTime.endsAt ? limitedTime.rate : undefined
}

function signupRate({ signup }: StageBonuses, { now, signedUpAt }: BonusBuyer) {
  if (signup.limitedTime === null || signedUpAt === null) return undefined
  const ageMs = now.getTime() - signedUpAt.getTime()
  const isInTime = ageMs <= signup.limitedTime.minutesAfterSignup * MINUTE_MS
  return isInTime ? signup.limitedTime.rate : undefined
}

function paymentTokenRate(bonuses: StageBonuses, paymentTokenId: string) {
  return bonuses.paymentTokens.find((bonus) => bonus.paymentTokenId === paymentTokenId)?.rate
}

function onlyPositive<Key extends string, U extends bigint>(
  amounts: Partial<Record<Key, U | undefined>>,
): Partial<Record<Key, U>> {
  const positive: Partial<Record<Key, U>> = {}
  for (const key in amounts) {
    const amount = amounts[key]
    if (amount !== undefined && amount > 0n) positive[key] = amount
  }
  return positive
}
