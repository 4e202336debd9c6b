import type { BonusType, StageBonuses } from '#contract/shapes.ts'

const MINUTE_MS = 60_000

interface Purchase {
  usd: number
  tokenId: string
  /** Null where nobody is logged in. */
  signupDate: string | null
  hasTokens: boolean
  nowMs: number
}

/**
 * The bonuses that a purchase will most likely get, in their order: enough to keep their lines
 * free until the server has said which they are.
 */
export function expectedBonuses(bonuses: StageBonuses, purchase: Purchase): BonusType[] {
  const { usd, tokenId, signupDate, hasTokens, nowMs } = purchase
  const { limited_time: limited, signup } = bonuses
  const minutes = signup.limited_time?.minutes_after_signup
  const isLimitedNow =
    limited !== null &&
    nowMs >= Date.parse(limited.start_date) &&
    nowMs < Date.parse(limited.end_date)
  const isNew =
    minutes !== undefined &&
    signupDate !== null &&
    nowMs <= Date.parse(signupDate) + minutes * MINUTE_MS
  const expected: [BonusType, boolean][] = [
    ['base_bonus', bonuses.base_percentage > 0],
    ['spending_bonus', bonuses.tiered_fiat.some((tier) => usd >= tier.amount)],
    ['limited_time_bonus', isLimitedNow],
    ['limited_time_signup_bonus', isNew],
    ['first_purchase_bonus', !hasTokens && signup.first_purchase_percentage > 0],
    ['tiered_fiat_bonus', bonuses.payment_tokens.some((bonus) => bonus.token_id === tokenId)],
  ]
  return expected.filter(([, isExpected]) => isExpected).map(([type]) => type)
}
