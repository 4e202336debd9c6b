import { cup, Drawing, ground } from './drawing.tsx'

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
