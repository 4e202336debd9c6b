import { formatExact, formatUsd } from './format.ts'
import { plainDecimal } from '#domain/money.ts'

const DIGITS = 6

/**
 * Dollars for one token. A price under a dollar keeps six significant digits, as a token that costs
 * a hundredth of a cent changes its price behind the fifth decimal.
 */
export function formatPrice(value: number): string {
  if (value === 0 || value >= 1) return formatUsd(value)
  return `$${formatExact(plainDecimal(Number(value.toPrecision(DIGITS))))}`
}
