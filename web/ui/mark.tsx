import { classNames } from '#web/ui/style/class-names.ts'

interface MarkProps {
  /** How full the cup is drawn, from 0 to 1. */
  fill?: number
  /** The coin drops into the cup once, and stays there. */
  isCoinDropping?: boolean
  className?: string
}

/** The inside of the cup reaches from the top of the posts to the bottom of the bowl. */
const BRIM = 3
const DEPTH = 15.5

/**
 * The product's own mark: a cup between two posts, and a coin above it. It takes the colour of the
 * text around it. Size it by classes; its drawing fills a square of 26 of the 32 units of its box.
 */
export function Mark({ fill = 0, isCoinDropping = false, className = '' }: MarkProps) {
  const height = Math.min(1, Math.max(0, fill)) * DEPTH
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classNames('fill-none', className)}>
      {height > 0 && (
        <path
          d="M8.5 3v8.5a7.5 7.5 0 0 0 15 0V3z"
          clipPath={`inset(${DEPTH - height}px 0 0)`}
          className="fill-(--mark-fill)"
        />
      )}
      <path
        d="M6.5 3v26M25.5 3v26M6.5 11.5a9.5 9.5 0 0 0 19 0"
        stroke="currentColor"
        strokeWidth={5}
      />
      <circle
        cx={16}
        cy={isCoinDropping ? 13.4 : BRIM + 4.3}
        r={4.3}
        fill="currentColor"
        className={isCoinDropping ? 'animate-drop' : undefined}
      />
    </svg>
  )
}
