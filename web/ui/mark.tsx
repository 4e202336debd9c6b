import { classNames } from '#web/ui/style/class-names.ts'

interface MarkProps {
  /** How full the cup is drawn, from 0 to 1. */
  fill?: number
  className?: string
}

/** A cup between two posts, and a coin above it. It takes the colour of the text around it. */
export function Mark({ fill = 0, className = '' }: MarkProps) {
  const level = 21 - Math.min(1, Math.max(0, fill)) * 9.5
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classNames('fill-none', className)}>
      {fill > 0 && (
        <path
          clipPath={`inset(${level}px 0 0 0)`}
          d="M6.5 11.5a9.5 9.5 0 0 0 19 0z"
          className="fill-accent"
        />
      )}
      <path
        d="M6.5 3v26M25.5 3v26M6.5 11.5a9.5 9.5 0 0 0 19 0"
        stroke="currentColor"
        strokeWidth={5}
      />
      <circle cx={16} cy={7.3} r={4.3} fill="currentColor" />
    </svg>
  )
}
