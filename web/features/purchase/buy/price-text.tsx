import { formatNumber, formatPrice } from '#web/lib/format/format.ts'
import { formatExactPriceOf, tokensPerPrice } from '#web/lib/format/price-per.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'

interface PriceTextProps {
  /** Dollars for one token. */
  price: number
  symbol: string
}

/** A price with every digit, for as many tokens as it takes to read it; the title is of one. */
export function PriceText({ price, symbol }: PriceTextProps) {
  const buy = useBuyTexts()
  const tokens = tokensPerPrice([price])
  return (
    <span title={buy.exactPrice(formatPrice(price), symbol)}>
      {buy.price(formatExactPriceOf(price, tokens), formatNumber(tokens), symbol)}
    </span>
  )
}
