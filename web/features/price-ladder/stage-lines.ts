import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { formatPriceOf, tokensPerPrice } from '#web/lib/format/price-per.ts'
import { formatTokensCompact, soldShare } from '#web/lib/format/token-amounts.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'

/** The first and the last price of each stage as text, all for the same number of tokens. */
export function priceTexts(stages: readonly ListedStage[]) {
  const tokens = tokensPerPrice(
    stages.flatMap(({ token_price, final_token_price }) => [token_price, final_token_price]),
  )
  const rangeOf = ({ type, token_price, final_token_price }: ListedStage): string => {
    const [from, to] = [token_price, final_token_price].map((price) => formatPriceOf(price, tokens))
    return type === 'fixed' || from === to ? `${from}` : `${from} – ${to}`
  }
  return { tokens, rangeOf }
}

/** Each stage in words, part by part, its name first. */
export function useStageLines(stages: readonly ListedStage[], symbol: string): string[][] {
  const { ladder } = useOfferTexts()
  const { language } = useLanguage()
  const { tokens, rangeOf } = priceTexts(stages)
  return stages.map((stage) => {
    const { name, type, status, total_tokens, sold_tokens, current_token_price } = stage
    const isMoving = type === 'dynamic' && (status === 'active' || status === 'paused')
    return [
      name,
      ladder.statuses[status],
      ladder.priceFor(rangeOf(stage), `${formatNumber(tokens)} ${symbol}`),
      ...(isMoving ? [ladder.priceNow(formatPriceOf(current_token_price, tokens))] : []),
      `${formatTokensCompact(total_tokens, language)} ${symbol}`,
      ladder.sold(soldShare(sold_tokens, total_tokens, language)),
    ]
  })
}
