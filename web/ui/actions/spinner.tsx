interface SpinnerProps {
  /** Side in CSS pixels. */
  size?: number
  /** Announced to screen readers; without it the spinner is decoration. */
  label?: string
}

/** An operation of unknown length is running. */
export function Spinner({ size = 24, label }: SpinnerProps) {
  const svg = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      aria-hidden="true"
      className="animate-spin"
    >
      <circle cx="12" cy="12" r="9" opacity={0.25} />
      <path d="M21 12a9 9 0 0 0-9-9" strokeLinecap="round" />
    </svg>
  )
  if (label === undefined) return svg
  return (
    <span role="status" className="inline-flex items-center gap-3 text-quiet">
      {svg}
      <span>{label}</span>
    </span>
  )
}
