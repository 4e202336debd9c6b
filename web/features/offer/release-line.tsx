import type { ReleaseSchedule } from '#contract/sale-page-shapes.ts'
import { monthsAfter } from '#domain/sale/release-schedule.ts'
import type { Project } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { formatUtcDay } from '#web/lib/format/utc-dates.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'

interface ReleaseLineProps {
  project: Project
  /** Of the tokens' stage; null if that is as the sale's. */
  schedule: ReleaseSchedule | null
}

/** The plan in one line, such as 'Released in steps within 5 months after launch.' */
export function ReleaseLine({ project: { vesting }, schedule }: ReleaseLineProps) {
  const { release } = useOfferTexts()
  const { language } = useLanguage()
  if (vesting === null) return null
  const { start_date: start } = vesting
  const { tranches } = schedule ?? vesting
  const last = tranches.at(-1)?.months ?? 0
  const dayAfter = (months: number) =>
    start === null ? null : formatUtcDay(monthsAfter(new Date(start), months), language)
  if (tranches.length === 1) {
    const isUndated = start === null && last > 0
    return (
      <span>
        {isUndated
          ? release.line.atOnceAfter(release.months(last))
          : release.line.atOnce(dayAfter(last))}
      </span>
    )
  }
  const first = tranches[0]?.months === 0 ? tranches[0].percentage : null
  const wait = tranches[first === null ? 0 : 1]?.months ?? 0
  return (
    <span>
      {release.line.over({
        months: release.months(last),
        date: dayAfter(0),
        first: first === null ? null : release.percent(formatNumber(first)),
        wait: wait > 1 ? release.months(wait) : null,
      })}
    </span>
  )
}
