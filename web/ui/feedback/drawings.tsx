import { cup, Drawing } from './drawing.tsx'

interface DrawingProps {
  /** Its size, such as `h-32`. */
  className?: string
}

/** Nothing was bought yet: the cup waits for its first coin. */
export function NoPurchasesDrawing({ className }: DrawingProps) {
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
export function NoPromotionsDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path d="M58 14 90 32.5v37L58 88 26 69.5v-37z" className="fill-edge" />
      <circle cx={119} cy={51} r={29} className="fill-accent" />
    </Drawing>
  )
}

/** Nothing was found: the coin has missed the cup, and the rings are where it has been. */
export function NothingFoundDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      {cup}
      <g className="stroke-accent" strokeWidth={1.5}>
        <circle cx={132} cy={16} r={12.25} opacity={0.3} />
        <circle cx={132} cy={34} r={12.25} opacity={0.5} />
        <circle cx={132} cy={56} r={12.25} opacity={0.8} />
      </g>
      <circle cx={132} cy={79} r={13} className="fill-accent" />
      <path d="M12 93.5h136" className="stroke-hairline" strokeWidth={3} />
    </Drawing>
  )
}
