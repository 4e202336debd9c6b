import { formatTokenColumn } from '#web/lib/format/token-amounts.ts'
import { formatUtcDay } from '#web/lib/format/utc-dates.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import type { ReleaseStep } from './release-steps.ts'

interface ReleaseTableProps {
  steps: readonly ReleaseStep[]
  /** How many of them are past. */
  doneCount: number
  /** For people who cannot see what it is beside. */
  caption: string
}

/** Where three columns have no room, the first one is a line above the other two. */
const row = '@max-[18rem]:grid @max-[18rem]:grid-cols-2'
const title = '@max-[18rem]:col-span-full'

/** Every release in a line: when, how much then, and how much in all. */
export function ReleaseTable({ steps, doneCount, caption }: ReleaseTableProps) {
  const { release } = useOfferTexts()
  const whenText = useWhenText()
  const partText = formatTokenColumn(steps.map(({ part }) => part))
  const freeText = formatTokenColumn(steps.map(({ free }) => free))
  return (
    <>
      <table className="tabular w-full self-start text-left text-12 @sm:text-14 @max-[18rem]:wrap-anywhere">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-quiet">
          <tr className={row}>
            <th scope="col" className={classNames('pt-2 align-top font-medium', title)}>
              {release.columns.when}
            </th>
            <th scope="col" className="py-2 pl-2 text-right font-medium">
              {release.columns.part}
            </th>
            <th scope="col" className="py-2 pl-2 text-right font-medium">
              {release.columns.free}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr
              key={step.month}
              className={classNames(
                'border-t border-hairline',
                row,
                index < doneCount && 'text-quiet',
              )}
            >
              <th scope="row" className={classNames('pt-2 align-top font-medium', title)}>
                {whenText(step)}
                {index < doneCount && <span className="sr-only">{` (${release.done})`}</span>}
              </th>
              <td className="py-2 pl-2 text-right">{partText(step.part)}</td>
              <td className="py-2 pl-2 text-right text-quiet">{freeText(step.free)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {steps[0]?.date && <p className="text-12 text-quiet">{release.utc}</p>}
    </>
  )
}

/** The day of a release, or how long after the launch it is. */
export function useWhenText(): (step: ReleaseStep) => string {
  const { release } = useOfferTexts()
  const { language } = useLanguage()
  return ({ date, month }) => {
    if (date !== null) return formatUtcDay(date, language)
    return month === 0 ? release.atLaunch : release.monthsAfter(release.months(month))
  }
}
