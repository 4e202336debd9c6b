import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

/** What a drawing is about: nothing bought, nothing offered, nothing found, something failed. */
export type DrawingSubject = 'purchases' | 'promotions' | 'search' | 'failure'

/** The flat shapes of the posters: ground, shape and the one thing that is lit. */
const shapes: Record<DrawingSubject, ReactNode> = {
  // The cup is empty, and the first coin is yet to come.
  purchases: (
    <>
      <path
        d="M53 28v64M107 28v64M53 44a27 27 0 0 0 54 0"
        className="stroke-edge"
        strokeWidth={16}
      />
      <circle
        cx={80}
        cy={20}
        r={13}
        className="stroke-accent"
        strokeWidth={3}
        strokeDasharray="4 5"
      />
    </>
  ),
  // What is paid and what is received have nothing in common yet.
  promotions: (
    <>
      <path d="M62 14 94 32.5v37L62 88 30 69.5v-37z" className="fill-edge" />
      <circle cx={104} cy={62} r={29} className="fill-accent" />
      <path d="M94 34.7V69.5L78.6 78.4a29 29 0 0 1 15.4-43.7z" className="fill-ground" />
    </>
  ),
  // The coin has missed the cup; the rings are where it has been.
  search: (
    <>
      <path
        d="M37 28v64M91 28v64M37 44a27 27 0 0 0 54 0"
        className="stroke-edge"
        strokeWidth={16}
      />
      <g className="stroke-accent" strokeWidth={1.5}>
        <circle cx={132} cy={16} r={12.25} opacity={0.3} />
        <circle cx={132} cy={34} r={12.25} opacity={0.5} />
        <circle cx={132} cy={56} r={12.25} opacity={0.8} />
      </g>
      <circle cx={132} cy={79} r={13} className="fill-accent" />
      <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />
    </>
  ),
  // The cup has tipped over, and the coin has rolled away.
  failure: (
    <>
      <g transform="rotate(-24 64 92)">
        <path
          d="M37 28v64M91 28v64M37 44a27 27 0 0 0 54 0"
          className="stroke-edge"
          strokeWidth={16}
        />
      </g>
      <circle cx={136} cy={79} r={13} className="fill-accent" />
      <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />
    </>
  ),
}

interface DrawingProps {
  of: DrawingSubject
  /** Its size, such as `h-24`; it is five parts wide and three high. */
  className?: string
}

/** A flat drawing beside words that say the same, where there is nothing else to see. */
export function Drawing({ of, className = 'h-24' }: DrawingProps) {
  return (
    <svg
      viewBox="0 0 160 96"
      aria-hidden="true"
      className={classNames('aspect-[5/3] shrink-0 fill-none forced-color-adjust-none', className)}
    >
      {shapes[of]}
    </svg>
  )
}
