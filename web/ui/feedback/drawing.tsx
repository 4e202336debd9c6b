import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

export interface SizedProps {
  /** Its size, such as `h-32`. */
  className?: string | undefined
}

interface DrawingProps extends SizedProps {
  children: ReactNode
}

/**
 * The frame of a flat drawing, five parts wide and three high, beside words that say the same.
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

/** What the shapes stand on. */
export const ground = <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />

/** The cup of the mark, standing at the left. */
export const cup = (
  <path d="M37 28v64M91 28v64M37 44a27 27 0 0 0 54 0" className="stroke-edge" strokeWidth={16} />
)
