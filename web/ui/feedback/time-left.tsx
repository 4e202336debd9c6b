import type { ReactNode } from 'react'
import { clockText, type TimeLeft } from '#web/lib/time-left.ts'

interface TimeLeftLineProps {
  /** What it is the time for. */
  children: ReactNode
  left: TimeLeft
  /** Names the time for screen readers, which do not announce every second. */
  label: string
}

/** A sentence with the time that is left at its end, until there is none. */
export function TimeLeftLine({ children, left, label }: TimeLeftLineProps) {
  return (
    <div className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
      <p className="min-w-0 flex-1 basis-48">{children}</p>
      {left.totalSeconds > 0 && (
        <span role="timer" aria-label={label} className="tabular text-16 font-strong text-ink">
          {clockText(left)}
        </span>
      )}
    </div>
  )
}
