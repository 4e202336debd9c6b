import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { formatExactPrice, formatPriceOf, tokensPerPrice } from '#web/lib/format/price-per.ts'
import { formatTokensCompact, soldShare, tokensLeft } from '#web/lib/format/token-amounts.ts'
import { formatUtcTime } from '#web/lib/format/utc-dates.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePanelTexts } from '#web/messages/use-sale-panel-texts.ts'
import type { SaleMoment } from './sale-moment.ts'

/** The state of the sale, in words and figures. What does not apply is null. */
export interface SaleWords {
  /** Such as 'Stage 1 of 6 · open now'. */
  state: string
  /** The present price, or the price of what opens next; once the sale is over, none. */
  price: { text: string; exact: string; unit: string } | null
  /** How the price will change. */
  outlook: string | null
  /** How much is left of the stage, or was sold of the whole sale. */
  supply: string
  /** When it closes or opens: as text, and as the instant that is counted down to. */
  until: { text: string; instant: string } | null
  /** From 0 to 1, for the cup. */
  soldPart: number
}

/** Says where the sale stands, the same in every place. */
export function useSaleWords(
  project: Project,
  stages: readonly ListedStage[],
  moment: SaleMoment,
): SaleWords {
  const texts = useSalePanelTexts()
  const saleText = useSaleText(project)
  const { language } = useLanguage()
  const { symbol } = project
  const { status, stage, number, next } = moment
  const tokens = tokensPerPrice(
    stages.flatMap(({ token_price, final_token_price }) => [token_price, final_token_price]),
  )
  const priceText = (price: number) => formatPriceOf(price, tokens)
  const stageOf = texts.stageOf(number, stages.length)
  const isOnSale = status === 'active' || status === 'paused'
  const states: Record<SaleMoment['status'], string> = {
    active: `${stageOf} · ${texts.open}`,
    paused: `${stageOf} · ${texts.paused}`,
    upcoming: texts.notBegun,
    between: texts.nextStage,
    ended: texts.ended,
  }
  const price = isOnSale ? stage.current_token_price : stage.token_price
  const instant = isOnSale ? stage.end_date : stage.start_date
  const sumOf = (part: 'sold_tokens' | 'total_tokens') =>
    stages.reduce((sum, each) => sum + each[part], 0)

  return {
    state: states[status],
    price:
      status === 'ended'
        ? null
        : {
            text: priceText(price),
            exact: formatExactPrice(price),
            unit: texts.forTokens(formatNumber(tokens), symbol),
          },
    outlook: outlookOf(moment, texts, { priceText, saleText, next }),
    supply: isOnSale
      ? texts.left(
          formatTokensCompact(tokensLeft(stage.total_tokens, stage.sold_tokens), language),
          symbol,
          soldShare(stage.sold_tokens, stage.total_tokens, language),
        )
      : texts.soldOfAll(
          formatTokensCompact(sumOf('sold_tokens'), language),
          formatTokensCompact(sumOf('total_tokens'), language),
          symbol,
        ),
    until:
      status === 'ended' || instant === null
        ? null
        : {
            text: (isOnSale ? texts.closes : texts.opens)(formatUtcTime(instant, language)),
            instant,
          },
    soldPart: isOnSale
      ? stage.sold_tokens / stage.total_tokens
      : sumOf('sold_tokens') / sumOf('total_tokens'),
  }
}

interface OutlookWords {
  priceText: (price: number) => string
  saleText: (text: string) => string
  next: ListedStage | null
}

function outlookOf(
  { status, stage }: SaleMoment,
  texts: ReturnType<typeof useSalePanelTexts>,
  { priceText, saleText, next }: OutlookWords,
): string | null {
  if (status === 'ended') return null
  if (status === 'paused') return texts.pausedText
  if (status !== 'active') return texts.startsAt(saleText(stage.name))
  const { token_price, final_token_price } = stage
  const to = priceText(final_token_price)
  const isFixed = token_price === final_token_price
  if (next === null) return isFixed ? texts.last : texts.rises(to)
  const after = [priceText(next.token_price), saleText(next.name)] as const
  return isFixed ? texts.after(...after) : texts.risesThen(to, ...after)
}
