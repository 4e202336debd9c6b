import type { Project } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { formatTokens, tokensLeft } from '#web/lib/format/token-amounts.ts'
import { formatUtcDay } from '#web/lib/format/utc-dates.ts'
import { useNowMs } from '#web/lib/use-now.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { ReleaseChart } from './release-chart.tsx'
import { type ReleaseStep, releaseSteps } from './release-steps.ts'

interface ReleasePlanProps {
  project: Project
  /** Whose release is drawn; in whole tokens. */
  tokens: number
}

/** When a buyer's own tokens are released, as a chart and a table. Nothing without a plan. */
export function ReleasePlan({ project: { vesting, symbol }, tokens }: ReleasePlanProps) {
  const { release } = useOfferTexts()
  const whenText = useWhenText()
  const nowMs = useNowMs()
  if (vesting === null) return null
  const steps = releaseSteps(vesting, tokens)
  const done = steps.filter(({ date }) => {
    return date !== null && nowMs !== null && date.getTime() <= nowMs
  })
  const next = steps[done.length]
  const lockedTokens = tokensLeft(tokens, done.at(-1)?.free ?? 0)
  return (
    <div className="@container min-w-0">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2 @3xl:gap-x-10">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex flex-col gap-1">
            <p className="text-14 text-quiet">{done.length === 0 ? release.first : release.next}</p>
            <p className="tabular font-display text-31 font-strong">
              {next === undefined ? release.all : whenText(next)}
            </p>
            {next !== undefined && (
              <p className="tabular">
                {release.amount(
                  formatTokens(next.part),
                  symbol,
                  release.percent(shareText(next.part, tokens)),
                )}
              </p>
            )}
            <p className="text-pretty text-quiet">
              {lockedTokens > 0
                ? release.locked(formatTokens(lockedTokens), symbol)
                : release.unlocked(formatTokens(tokens), symbol)}
              {vesting.start_date === null && ` ${release.noDate}`}
            </p>
          </div>
          <ReleaseChart steps={steps} doneCount={done.length} label={release.chart(symbol)} />
        </div>
        <table className="tabular w-full self-start text-left text-12 @sm:text-14 @max-[14rem]:wrap-anywhere">
          <caption className="sr-only">{release.chart(symbol)}</caption>
          <thead className="text-quiet">
            <tr>
              <th scope="col" className="py-2 font-medium">
                {release.columns.when}
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                {release.columns.part}
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                {release.columns.free}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step.month} className="border-t border-hairline">
                <th scope="row" className="py-2 font-medium">
                  {whenText(step)}
                </th>
                <td className="py-2 pl-3 text-right">{formatTokens(step.part)}</td>
                <td className="py-2 pl-3 text-right text-quiet">{formatTokens(step.free)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {vesting.start_date !== null && <p className="text-12 text-quiet">{release.utc}</p>}
      </div>
    </div>
  )
}

/** The plan in one line, such as 'Released over 5 months after launch, 1% first.' */
export function ReleaseLine({ project: { vesting } }: { project: Project }) {
  const { release } = useOfferTexts()
  const { language } = useLanguage()
  if (vesting === null) return null
  const { line, percent } = release
  const date = vesting.start_date === null ? null : formatUtcDay(vesting.start_date, language)
  const months = release.months(vesting.months)
  const first = percent(formatNumber(vesting.first_percentage))
  if (vesting.months === 0 || vesting.first_percentage === 100) {
    return <span>{date === null ? line.atOnce : line.atOnceOn(date)}</span>
  }
  if (vesting.first_percentage === 0) {
    return <span>{date === null ? line.over(months) : line.overFrom(months, date)}</span>
  }
  return (
    <span>
      {date === null ? line.firstOver(months, first) : line.firstOverFrom(months, date, first)}
    </span>
  )
}

/** The day of a release, or how long after the launch it is. */
function useWhenText(): (step: ReleaseStep) => string {
  const { release } = useOfferTexts()
  const { language } = useLanguage()
  return ({ date, month }) => {
    if (date !== null) return formatUtcDay(date, language)
    return month === 0 ? release.atLaunch : release.monthsAfter(release.months(month))
  }
}

/** To a tenth of a percent: what is drawn, beside the exact tokens. */
function shareText(part: number, tokens: number): string {
  return formatNumber(Math.round((part / tokens) * 1000) / 10)
}
