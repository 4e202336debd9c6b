import { formatNumber, formatPriceShort } from '#web/lib/format/format.ts'
import { formatPriceOf, tokensPerPrice } from '#web/lib/format/price-per.ts'

/**
 * A price in a sentence, and for how many tokens it is: for a single one as in the stage's card
 * beside it.
 */
export function priceAlone(price: number): { price: string; tokens: string } {
  const tokens = tokensPerPrice([price])
  return {
    price: tokens === 1 ? formatPriceShort(price) : formatPriceOf(price, tokens),
    tokens: formatNumber(tokens),
  }
}
