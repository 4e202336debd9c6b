import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

interface SizedProps {
  /** Its size, such as `h-32`. */
  className?: string | undefined
}

interface DrawingProps extends SizedProps {
  children: ReactNode
}

/**
 * The frame of a flat drawing, five parts wide and three high, beside words that say the same.
 */
function Drawing({ children, className = 'h-24' }: DrawingProps) {
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
const ground = <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />

/** The cup of the mark, standing at the left. */
const cup = (
  <path d="M37 28v64M91 28v64M37 44a27 27 0 0 0 54 0" className="stroke-edge" strokeWidth={16} />
)

/** Something failed: the cup has tipped over, and the coin has rolled away. */
export function FailureDrawing() {
  return (
    <Drawing className="h-16">
      <g transform="rotate(20 99 92)">{cup}</g>
      <circle cx={136} cy={79} r={13} className="fill-accent" />
      {ground}
    </Drawing>
  )
}

/** Nothing was bought yet: the cup waits for its first coin. */
export function NoPurchasesDrawing({ className }: SizedProps) {
  return (
    <Drawing className={className}>
      <g transform="translate(16)">{cup}</g>
      <circle
        cx={80}
        cy={20}
        r={13}
        className="stroke-accent"
        strokeWidth={3}
        strokeDasharray="4 5"
      />
    </Drawing>
  )
}

/** Nothing is on offer: what is paid and what is received only touch. */
export function NoPromotionsDrawing({ className }: SizedProps) {
  return (
    <Drawing className={className}>
      <path d="M58 14 90 32.5v37L58 88 26 69.5v-37z" className="fill-edge" />
      <circle cx={119} cy={51} r={29} className="fill-accent" />
    </Drawing>
  )
}

/** Nothing was found: the coin has missed the cup, and the ring is where it has been. */
export function NothingFoundDrawing({ className }: SizedProps) {
  return (
    <Drawing className={className}>
      {cup}
      <circle cx={132} cy={54} r={12} className="stroke-accent" strokeWidth={1.5} />
      <circle cx={132} cy={79} r={13} className="fill-accent" />
      {ground}
    </Drawing>
  )
}
