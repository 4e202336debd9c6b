import { Suspense, useState } from 'react'
import { chartPeriods } from '#contract/sale.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { formatPriceShort } from '#web/lib/format/format.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { areWithin, changeText, type PricePoint, UNMOVED_PART } from './chart-scale.ts'
import { type ChartPeriod, usePriceChart } from './queries.ts'

const PriceChart = lazyComponent(() => import('./price-chart.tsx'), 'PriceChart')

/** How the price moved, over a day, a week, a month or the whole sale. */
export function PriceChartCard({ symbol, className = '' }: { symbol: string; className?: string }) {
  const { chart } = useDashboardTexts()
  const [period, setPeriod] = useState<ChartPeriod>('day')
  const query = usePriceChart(period)
  const { data: points, isError, isPlaceholderData } = query
  const waiting = <Skeleton className="h-full" />
  return (
    <Card
      title={chart.title}
      className={className}
      aside={
        <>
          <LastPrice points={points} period={isPlaceholderData ? null : period} />
          <Segmented
            label={chart.period}
            value={period}
            onChange={setPeriod}
            options={chartPeriods.map((value) => ({ value, label: chart.periods[value] }))}
          />
        </>
      }
    >
      <div
        aria-busy={points === undefined || isPlaceholderData}
        className={classNames(
          'min-h-60 flex-1 transition-opacity [&>*]:h-full',
          isPlaceholderData && 'opacity-60',
        )}
      >
        {points === undefined && isError && <ErrorState title={chart.failed} query={query} />}
        {points === undefined && !isError && waiting}
        {points?.length === 0 && (
          <p className="flex h-full items-center justify-center text-quiet">{chart.empty}</p>
        )}
        {points !== undefined && points.length > 0 && (
          <Suspense fallback={waiting}>
            <PriceChart points={points} period={period} symbol={symbol} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}

interface LastPriceProps {
  /** Undefined while they load. */
  points: readonly PricePoint[] | undefined
  /** Null while the points are still those of another period. */
  period: ChartPeriod | null
}

/** What the line says, in words: the last price and how it moved, or that it did not. */
function LastPrice({ points, period }: LastPriceProps) {
  const { chart } = useDashboardTexts()
  const last = points?.at(-1)
  const change = points === undefined ? null : changeText(points)
  const price = last === undefined ? '' : formatPriceShort(last.price)
  const isStill = points !== undefined && areWithin(points, UNMOVED_PART)
  return (
    // Two lines high, which the longest sentence takes on a phone.
    <p className="tabular flex min-h-11 flex-[1_1_12rem] flex-wrap content-center items-baseline gap-x-2 text-14 text-quiet">
      {last !== undefined && isStill && period !== null && chart.unmoved[period](price)}
      {last !== undefined && (!isStill || period === null) && (
        <>
          <span className="text-16 font-strong text-ink">{price}</span>
          {change !== null && period !== null && <span>{chart.moved[period](change)}</span>}
        </>
      )}
    </p>
  )
}
