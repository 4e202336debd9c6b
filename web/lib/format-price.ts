import { plainDecimal } from '#domain/money.ts'
import { formatExact, formatUsd } from './format.ts'

/** What `formatUsd` shows. */
const USD_DECIMALS_SHOWN = 5

/**
 * Dollars for one token, with every digit there is: an amount divided by a rounded price would not
 * come out at the tokens shown beside it.
 */
export function formatPrice(value: number): string {
  const digits = plainDecimal(value)
  const decimals = digits.split('.')[1]?.length ?? 0
  return decimals <= USD_DECIMALS_SHOWN ? formatUsd(digits) : `$${formatExact(digits)}`
}
