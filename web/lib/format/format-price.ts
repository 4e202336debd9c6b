import { plainDecimal } from '#domain/money.ts'
import { formatUsdExact } from './format.ts'

/**
 * Dollars for one token, with every digit there is: an amount divided by a rounded price would not
 * come out at the tokens shown beside it.
 */
export function formatPrice(value: number): string {
  return formatUsdExact(plainDecimal(value))
}

/** Six digits are enough to read; cents are kept whatever stands before them. */
const short = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
})

/** Dollars for one token where it is the figure of a card; the exact price stands in its title. */
export function formatPriceShort(value: number): string {
  return formatUsdExact(short.format(value))
}
