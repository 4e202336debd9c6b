import type { Overview } from '#contract/operator/console.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { type Column, Table } from '#console/kit/table.tsx'

type Days = Overview['by_day']

const HEIGHT = 100
const SLOT = 10
const BAR = 7
/** A day on which little was raised must still be distinguishable from one with nothing. */
const BAR_LEAST = 1

const dayText = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatShortDay = (day: string) => dayText.format(new Date(`${day}T00:00:00Z`))

/** A bar for each day, from zero to the highest, and the same figures as a table. */
export function DayBars({ days }: { days: Days }) {
  const most = Math.max(...days.map(({ raised_fiat }) => Number(raised_fiat)))
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between text-12 text-quiet">
        <span>{most === 0 ? 'Nothing was raised on these days.' : formatUsd(most)}</span>
        <span>Days in UTC</span>
      </div>
      <svg
        role="img"
        aria-label={`Raised by day, from ${formatShortDay(first.day)} to ${formatShortDay(last.day)}; at most ${formatUsd(most)} a day. The figures are in the table below.`}
        viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full border-b border-edge forced-color-adjust-none"
      >
        {days.map(({ day, raised_fiat, purchases }, nth) => {
          const amount = Number(raised_fiat)
          const height = amount === 0 ? 0 : Math.max((amount / most) * HEIGHT, BAR_LEAST)
          return (
            <g key={day}>
              <title>{`${formatShortDay(day)}: ${formatUsd(raised_fiat)}, ${purchases} credited`}</title>
              <rect
                x={nth * SLOT}
                y={0}
                width={SLOT}
                height={HEIGHT}
                className="fill-transparent hover:fill-raised"
              />
              <rect
                x={nth * SLOT + (SLOT - BAR) / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
                className="pointer-events-none fill-accent"
              />
            </g>
          )
        })}
      </svg>
      <div className="flex justify-between text-12 text-quiet">
        <span>{formatShortDay(first.day)}</span>
        <span>{formatShortDay(last.day)}</span>
      </div>
      <Disclosure title="The figures of each day">
        <Table
          label="Raised by day"
          columns={columns}
          rows={days.toReversed()}
          keyOf={({ day }) => day}
        />
      </Disclosure>
    </div>
  )
}

const columns: readonly Column<Days[number]>[] = [
  { header: 'Day', isTitle: true, cell: ({ day }) => formatShortDay(day) },
  { header: 'Credited', isNumber: true, cell: ({ purchases }) => purchases },
  { header: 'Raised', isNumber: true, cell: ({ raised_fiat }) => formatUsd(raised_fiat) },
]
