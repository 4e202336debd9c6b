interface SpinnerProps {
  /** Side in CSS pixels of the browser's usual text; it grows with the text. */
  size?: number
  /** Announced to screen readers; without it the spinner is decoration. */
  label?: string
}

/** An operation of unknown length is running: the coin of the logo spins. */
export function Spinner({ size = 24, label }: SpinnerProps) {
  const coin = (
    <svg
      viewBox="0 0 24 24"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
      className="shrink-0 fill-none"
    >
      <circle cx="12" cy="12" r="10.5" stroke="currentColor" strokeWidth={2} opacity={0.35} />
      <circle cx="12" cy="12" r="6.5" fill="currentColor" className="origin-center animate-turn" />
    </svg>
  )
  if (label === undefined) return coin
  return (
    <span role="status" className="inline-flex items-center gap-3 text-quiet">
      {coin}
      <span>{label}</span>
    </span>
  )
}
