import { formatPrice, formatPriceShort, localDates } from '#web/lib/format/format.ts'
import { useReader } from '#web/lib/use-reader.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import {
  areWithin,
  LEVEL_PART,
  lineCorners,
  nearestPoint,
  placePoints,
  type PricePoint,
  priceTicks,
  TICKS,
} from './chart-scale.ts'
import type { ChartPeriod } from './queries.ts'

const times = localDates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const days = localDates({ dateStyle: 'medium' })

interface PriceChartProps {
  /** At least one, oldest first. */
  points: PricePoint[]
  period: ChartPeriod
  symbol: string
}

/**
 * A line over time, from 0 to the highest price. Points can be read with the pointer or arrow keys.
 */
export function PriceChart({ points, period, symbol }: PriceChartProps) {
  const { chart } = useDashboardTexts()
  const last = points.length - 1
  const { index, isReading, handlers } = useReader(points.length, last)
  const places = placePoints(points)
  const dateText = ({ at }: PricePoint) => (period === 'day' ? times : days)(at)
  const pointText = (point: PricePoint | undefined) =>
    point === undefined ? '' : chart.point(formatPrice(point.price), dateText(point))
  const point = points[index]
  return (
    <div className="grid h-full grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <div aria-hidden="true" className="flex flex-col justify-between text-right">
        {priceTicks(points).map((price) => (
          <span key={price} className="tabular -my-2 text-12 leading-4 text-quiet">
            {formatPriceShort(price)}
          </span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={chart.label(symbol, pointText(points[0]), pointText(points[last]))}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={pointText(point)}
        {...handlers((share) => nearestPoint(places, share))}
        className="relative h-full cursor-crosshair [touch-action:pan-y]"
      >
        <Line places={places} isFilled={!areWithin(points, LEVEL_PART)} />
        {isReading && point !== undefined && (
          <Tooltip
            x={places[index]?.x ?? 0}
            price={formatPrice(point.price)}
            date={dateText(point)}
          />
        )}
      </div>
    </div>
  )
}

interface LineProps {
  places: { x: number; y: number }[]
  /** A price that has not moved would fill the whole chart without meaning anything. */
  isFilled: boolean
}

/** Drawn in a unit square that is stretched, over a tint of its own; strokes keep their width. */
function Line({ places, isFilled }: LineProps) {
  const single = places.length === 1 ? [{ x: 0, y: places[0]?.y ?? 0 }] : []
  const line = lineCorners([...single, ...places])
  const corners = line.map(({ x, y }) => `${x},${1 - y}`).join(' ')
  return (
    <svg
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible forced-color-adjust-none"
    >
      {Array.from({ length: TICKS + 1 }, (_, tick) => (
        <line
          key={tick}
          x1={0}
          x2={1}
          y1={tick / TICKS}
          y2={tick / TICKS}
          vectorEffect="non-scaling-stroke"
          className="stroke-hairline"
        />
      ))}
      {isFilled && (
        <polygon points={`${line[0]?.x ?? 0},1 ${corners} 1,1`} className="fill-accent/8" />
      )}
      <polyline
        points={corners}
        fill="none"
        strokeWidth={2}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
    </svg>
  )
}

/** Beside the line that marks the point, on the side that has room. */
function Tooltip({ x, price, date }: { x: number; price: string; date: string }) {
  return (
    <div
      data-tooltip
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 w-px bg-quiet"
      style={{ left: `${x * 100}%` }}
    >
      <span
        className={classNames(
          'tabular absolute top-0 flex gap-2 rounded-control border border-edge bg-raised px-2 py-1',
          'text-14 whitespace-nowrap',
          x > 0.5 ? 'right-2' : 'left-2',
        )}
      >
        <span className="font-medium">{price}</span>
        <span className="text-quiet">{date}</span>
      </span>
    </div>
  )
}
