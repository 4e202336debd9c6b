import type { ReleaseStep } from './release-steps.ts'
import { classNames } from '#web/ui/style/class-names.ts'

interface ReleaseChartProps {
  steps: readonly ReleaseStep[]
  /** How many of them have been. */
  doneCount: number
  label: string
}

/** Steps that rise to the whole, one a month; filled are those that have been. */
export function ReleaseChart({ steps, doneCount, label }: ReleaseChartProps) {
  const width = 100 / Math.max(1, steps.length)
  return (
    <svg
      role="img"
      aria-label={label}
      className="block h-28 w-full overflow-visible @3xl:h-36 forced-color-adjust-none"
    >
      {steps.map(({ month, freePermille }, index) => {
        // A release that is too small to be seen is drawn as a line.
        const height = Math.max(freePermille / 10, 1)
        return (
          <rect
            key={month}
            x={`${index * width}%`}
            y={`${100 - height}%`}
            width={`${width - Math.min(1, width / 10)}%`}
            height={`${height}%`}
            className={classNames(
              index < doneCount
                ? 'fill-accent stroke-accent'
                : 'fill-raised stroke-edge forced-colors:fill-[Canvas]',
            )}
          />
        )
      })}
    </svg>
  )
}
