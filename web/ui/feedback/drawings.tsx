import { cup, Drawing, ground, type SizedProps } from './drawing.tsx'

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
