import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { formatTokensCompact, soldShare } from '#web/lib/format/token-amounts.ts'
import { formatUtcDay } from '#web/lib/format/utc-dates.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { priceTexts } from './stage-lines.ts'

interface LadderTableProps {
  stages: readonly ListedStage[]
  symbol: string
  /** If not, it is only for screen readers. */
  isSeen: boolean
}

const cell = 'py-2.5 pl-2 @xs:pl-3 align-top'

/** Every stage with everything that the drawing shows of it, and its dates. */
export function LadderTable({ stages, symbol, isSeen }: LadderTableProps) {
  const { ladder } = useOfferTexts()
  const { language } = useLanguage()
  const { tokens, rangeOf } = priceTexts(stages)
  const openText = useOpenText()
  return (
    <div className={isSeen ? 'min-w-0' : 'sr-only'}>
      <table className="tabular w-full text-left text-14 @max-[14rem]:wrap-anywhere">
        <caption className="sr-only">
          {ladder.caption}. {ladder.captionNote}
        </caption>
        <thead className="text-quiet">
          <tr>
            <th scope="col" className="py-2 font-medium">
              {ladder.columns.stage}
            </th>
            <th scope="col" className={classNames(cell, 'hidden font-medium @2xl:table-cell')}>
              {ladder.columns.open}
            </th>
            <th
              scope="col"
              className={classNames(cell, 'hidden text-right font-medium @xs:table-cell')}
            >
              {ladder.columns.tokens(symbol)}
            </th>
            <th scope="col" className={classNames(cell, 'text-right font-medium')}>
              {ladder.columns.price(`${formatNumber(tokens)} ${symbol}`)}
            </th>
            <th scope="col" className={classNames(cell, 'text-right font-medium')}>
              {ladder.columns.sold}
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <tr key={stage.id} className="border-t border-hairline">
              <th scope="row" className="py-2.5 text-left align-top font-medium">
                {stage.name}
                {stage.status !== 'upcoming' && (
                  <span className="block font-regular text-quiet @2xl:ml-3 @2xl:inline-block">
                    {ladder.statuses[stage.status]}
                  </span>
                )}
                <span className="block text-12 font-regular text-quiet @2xl:hidden">
                  {openText(stage)}
                </span>
              </th>
              <td className={classNames(cell, 'hidden text-quiet @2xl:table-cell')}>
                {openText(stage)}
              </td>
              <td className={classNames(cell, 'hidden text-right @xs:table-cell')}>
                {formatTokensCompact(stage.total_tokens, language)}
              </td>
              <td className={classNames(cell, 'text-right')}>{rangeOf(stage)}</td>
              <td className={classNames(cell, 'text-right')}>
                {soldShare(stage.sold_tokens, stage.total_tokens, language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isSeen && <p className="pt-2 text-12 text-quiet">{ladder.captionNote}</p>}
    </div>
  )
}

function useOpenText(): (stage: ListedStage) => string {
  const { ladder } = useOfferTexts()
  const { language } = useLanguage()
  return ({ status, start_date, end_date, is_sold_out }) => {
    const from = formatUtcDay(start_date, language)
    const to = end_date === null ? null : formatUtcDay(end_date, language)
    // A stage that sells out ends before its day, and the next one opens before its own.
    if (is_sold_out) return ladder.soldOut(from)
    if (status === 'active' && to !== null) return ladder.until(to)
    return to === null ? ladder.from(from) : ladder.fromUntil(from, to)
  }
}
