import {
  type Price,
  price,
  PRICE_DECIMALS,
  type TokenAmount,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { StatusReason } from './outcome.ts'

/** The digits of an average price; those of the dollars and tokens behind it allow no more. */
const AVERAGE_DIGITS = 6

/**
 * Dollars for one token. Late or excess money is credited at whichever price gives fewer tokens, so
 * the locked price does not match the tokens of such a purchase: theirs is the average of what was
 * paid, to six digits.
 */
export function paidPrice(paid: {
  held: Price
  reason: StatusReason | null
  /** What was credited; null before that. */
  usd: Usd | null
  base: TokenAmount
  tokenDecimals: number
}): { price: Price; isAverage: boolean } {
  const { held, reason, usd, base, tokenDecimals } = paid
  const mayDiffer = reason === 'late' || reason === 'overpaid'
  if (!mayDiffer || usd === null || base === 0n) return { price: held, isAverage: false }
  const scale = 10n ** BigInt(tokenDecimals + PRICE_DECIMALS - USD_DECIMALS)
  const average = (usd * scale) / base
  const digit = 10n ** BigInt(Math.max(0, String(average).length - AVERAGE_DIGITS))
  const shown = ((average + digit / 2n) / digit) * digit
  const difference = shown > held ? shown - held : held - shown
  return difference <= digit
    ? { price: held, isAverage: false }
    : { price: price(shown), isAverage: true }
}
