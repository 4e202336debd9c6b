import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

interface DrawingProps {
  children: ReactNode
  className?: string | undefined
}

/**
 * The frame of a flat drawing, five parts wide and three high, beside words that say the same. The
 * drawings themselves are in `drawings.tsx`; size them by classes, such as `h-24`.
 */
export function Drawing({ children, className = 'h-24' }: DrawingProps) {
  return (
    <svg
      viewBox="0 0 160 96"
      aria-hidden="true"
      className={classNames('aspect-[5/3] shrink-0 fill-none forced-color-adjust-none', className)}
    >
      {children}
    </svg>
  )
}

/** The cup of the mark, standing on the line that the shapes of a drawing stand on. */
export const cup = (
  <path d="M37 28v64M91 28v64M37 44a27 27 0 0 0 54 0" className="stroke-edge" strokeWidth={16} />
)

/** Something failed: the cup has tipped over, and the coin has rolled away. */
export function FailureDrawing() {
  return (
    <Drawing className="h-16">
      <g transform="rotate(-24 64 92)">{cup}</g>
      <circle cx={136} cy={79} r={13} className="fill-accent" />
      <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />
    </Drawing>
  )
}
