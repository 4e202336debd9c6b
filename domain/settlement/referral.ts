import { type Price, type TokenAmount, tokenAmount, unitsForUsd, type Usd } from '#domain/money.ts'

/**
 * What a referrer earns once the referred user has spent enough: `earn` dollars worth of tokens at
 * the present token price, rounded down. Null while too little was spent, and if nothing is
 * promised. The caller has to make sure that it is paid once for each referred user.
 */
export function referralReward(referral: {
  /** The sum of what was credited to the referred user's completed purchases. */
  completedUsd: Usd
  terms: { earn: Usd; spend: Usd }
  tokenPrice: Price
  tokenDecimals: number
}): { tokens: TokenAmount } | null {
  const { completedUsd, terms, tokenPrice, tokenDecimals } = referral
  if (completedUsd <= 0n || completedUsd < terms.spend) return null
  const tokens = tokenAmount(unitsForUsd(terms.earn, tokenPrice, tokenDecimals, 'down'))
  return tokens > 0n ? { tokens } : null
}
