import type { ReactNode } from 'react'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { LegendMark } from './ladder-drawing.tsx'

interface LadderLegendProps {
  /** How many tokens the prices are for, with their symbol. */
  pricedTokens: string
  purchaseCount: number
  hasHere: boolean
  isToScale: boolean
}

/** What the parts of the drawing mean; only those that it has. */
export function LadderLegend(props: LadderLegendProps) {
  const { pricedTokens, purchaseCount, hasHere, isToScale } = props
  const { ladder } = useOfferTexts()
  return (
    <ul aria-label={ladder.legend} className="flex flex-wrap gap-x-4 gap-y-1 text-14 text-quiet">
      <li>{ladder.axes(pricedTokens)}</li>
      <Entry text={ladder.filled}>
        <rect y={2} width={12} height={12} className="fill-accent" />
      </Entry>
      {hasHere && (
        <Entry text={ladder.here}>
          <path d="M6 3l6 10h-12z" className="fill-ink" />
        </Entry>
      )}
      {purchaseCount > 0 && (
        <Entry text={ladder.purchases(purchaseCount)}>
          <circle cx={6} cy={8} r={5} className="fill-ink" />
        </Entry>
      )}
      {!isToScale && (
        <Entry text={ladder.notToScale}>
          <rect
            x={0.5}
            y={2.5}
            width={11}
            height={11}
            strokeDasharray="4 3"
            className="fill-none stroke-edge"
          />
        </Entry>
      )}
    </ul>
  )
}

function Entry({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <LegendMark>{children}</LegendMark>
      {text}
    </li>
  )
}
