import { formatNumber } from '#web/lib/format/format.ts'
import { formatTokens, tokensLeft } from '#web/lib/format/token-amounts.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import type { Countdown as AnyCountdown } from '#web/ui/feedback/countdown.tsx'
import { ReleaseChart } from './release-chart.tsx'
import { type Releases, releaseSteps } from './release-steps.ts'
import { ReleaseTable, useWhenText } from './release-table.tsx'
import { useDoneCount } from './use-done-count.ts'

interface ReleasePlanProps {
  symbol: string
  releases: Releases
  /** Counts down to the next release, if wanted. */
  countdown?: typeof AnyCountdown
}

/** When tokens are released, as a chart and a table. Nothing if there are no releases. */
export function ReleasePlan({ symbol, releases, countdown: Countdown }: ReleasePlanProps) {
  const { release } = useOfferTexts()
  const whenText = useWhenText()
  const steps = releaseSteps(releases)
  const { doneCount, onReached } = useDoneCount(steps)
  const next = steps[doneCount]
  const total = steps.at(-1)?.free
  if (total === undefined) return null
  const lockedTokens = tokensLeft(total, steps[doneCount - 1]?.free ?? 0)
  const title = doneCount === 0 ? release.first : release.next
  const until = next?.date?.getTime() ?? null
  return (
    <div className="@container min-w-0">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2 @3xl:gap-x-10">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex flex-col gap-1">
            {next !== undefined && <p className="text-14 text-quiet">{title}</p>}
            <p className="tabular font-display text-31 font-strong">
              {next === undefined ? release.all : whenText(next)}
            </p>
            {next !== undefined && (
              <p className="tabular">
                {release.amount(
                  formatTokens(next.part),
                  symbol,
                  release.percent(shareText(next.part, total)),
                )}
              </p>
            )}
            <p className="text-quiet">
              {lockedTokens > 0
                ? release.locked(formatTokens(lockedTokens), symbol)
                : release.unlocked(formatTokens(total), symbol)}
              {steps[0]?.date === null && ` ${release.noDate}`}
            </p>
          </div>
          {Countdown !== undefined && until !== null && (
            <Countdown until={until} label={title} onFinish={onReached} />
          )}
          {steps.length > 1 && (
            <ReleaseChart steps={steps} doneCount={doneCount} label={release.chart(symbol)} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ReleaseTable steps={steps} doneCount={doneCount} caption={release.chart(symbol)} />
        </div>
      </div>
    </div>
  )
}

/** To a tenth of a percent, for the drawing, beside the exact tokens. */
function shareText(part: number, tokens: number): string {
  return formatNumber(Math.round((part / tokens) * 1000) / 10)
}
