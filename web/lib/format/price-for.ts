import { formatDecimal, plainDecimal } from '#domain/money.ts'
import { CENT, formatNumber, formatUsd } from './format.ts'

/** So many tokens, of which the first that costs a cent or more is a price that can be read. */
const PRICED_TOKENS = [1, 1000, 1_000_000, 1_000_000_000]

/**
 * Dollars for as many tokens as it takes to read them: a price of 0.0001 is `$0.10` for `1,000`.
 * Every digit for one token is `formatPrice`.
 */
export function formatPriceFor(value: number): { dollars: string; tokens: string } {
  const { units, decimals } = digitsOf(value)
  const readable = PRICED_TOKENS.find((count) => value * count >= CENT)
  const tokens = value === 0 ? 1 : (readable ?? Math.max(...PRICED_TOKENS))
  const dollars = formatDecimal(units * BigInt(tokens), decimals)
  return { dollars: formatUsd(dollars), tokens: formatNumber(tokens) }
}

function digitsOf(value: number): { units: bigint; decimals: number } {
  const [whole = '', fraction = ''] = plainDecimal(value).split('.')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}
