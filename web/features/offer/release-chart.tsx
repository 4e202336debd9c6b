import { formatNumber } from '#web/lib/format/format.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import type { ReleaseStep } from './release-steps.ts'
import { classNames } from '#web/ui/style/class-names.ts'

interface ReleaseChartProps {
  steps: readonly ReleaseStep[]
  /** How many of them are past. */
  doneCount: number
  label: string
}

/** With more of them, adjacent shares would touch. */
const LABELLED_STEPS_MAX = 7

/**
 * Steps that rise to the whole, in order; past ones are filled. If there are few, each says how
 * much is released by then; otherwise the first and the last do.
 */
export function ReleaseChart({ steps, doneCount, label }: ReleaseChartProps) {
  const { release } = useOfferTexts()
  const width = 100 / Math.max(1, steps.length)
  const isLabelled = (index: number) =>
    steps.length <= LABELLED_STEPS_MAX || index === 0 || index === steps.length - 1
  return (
    <svg
      role="img"
      aria-label={label}
      className="tabular mt-4 block h-28 w-full overflow-visible text-12 text-quiet @3xl:h-36 forced-color-adjust-none"
    >
      {steps.map(({ month, freePermille }, index) => {
        // A release that is too small to be seen is drawn as a line.
        const height = Math.max(freePermille / 10, 1)
        const barWidth = width - Math.min(1, width / 10)
        return (
          <g key={month}>
            <rect
              x={`${index * width}%`}
              y={`${100 - height}%`}
              width={`${barWidth}%`}
              height={`${height}%`}
              className={classNames(
                index < doneCount
                  ? 'fill-accent stroke-accent'
                  : 'fill-raised stroke-edge forced-colors:fill-[Canvas]',
              )}
            />
            {isLabelled(index) && freePermille > 0 && (
              <text
                {...placeOf(index, steps.length, { width, barWidth })}
                y={`${100 - height}%`}
                dy="-0.5em"
                fill="currentColor"
              >
                {release.percent(formatNumber(freePermille / 10))}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/**
 * Above the middle of its bar; if there are many bars, the outer ones are aligned with the edge.
 */
function placeOf(index: number, count: number, bar: { width: number; barWidth: number }) {
  const left = index * bar.width
  if (count <= LABELLED_STEPS_MAX) {
    return { x: `${left + bar.barWidth / 2}%`, textAnchor: 'middle' as const }
  }
  return index === 0
    ? { x: '0%', textAnchor: 'start' as const }
    : { x: '100%', textAnchor: 'end' as const }
}
