import type { ReactNode } from 'react'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'

/**
 * The shapes of the posters: a card, coins, a wallet, and the cup with a coin in it. Each begins at
 * the left edge, as its words do.
 */
const drawings: readonly ReactNode[] = [
  <g key="account" transform="translate(-8)">
    <rect x={8} y={6} width={80} height={60} rx={6} className="fill-raised" />
    <circle cx={28} cy={26} r={10} className="fill-ink" />
    <path d="M10 62a18 18 0 0 1 36 0v4H10z" className="fill-ink" />
    <path d="M56 20h24v7H56zM56 34h24v7H56z" className="fill-edge" />
    <path d="M56 48h16v8H56z" className="fill-accent" />
  </g>,
  <g key="coin" transform="translate(-6)">
    <circle cx={30} cy={36} r={24} className="fill-ink" />
    <circle cx={52} cy={36} r={24} className="fill-edge" />
    <circle cx={74} cy={36} r={24} className="fill-accent" />
    <path d="M64 36l7 8 13-15" fill="none" strokeWidth={5} className="stroke-accent-ink" />
  </g>,
  <g key="wallet" transform="translate(-4)">
    <path d="M4 16h44v40H4z" className="fill-ink" />
    <path d="M30 28h18v16H30z" className="fill-raised" />
    <circle cx={38} cy={36} r={4} className="fill-ink" />
    <path d="M52 32h20V22l20 14-20 14V40H52z" className="fill-accent" />
  </g>,
  <g key="cup" transform="translate(-18.5)">
    <path d="M29 30v8a19 19 0 0 0 38 0v-8z" className="fill-accent" />
    <path
      d="M24 6v60M72 6v60M24 34a24 24 0 0 0 48 0"
      fill="none"
      strokeWidth={11}
      className="stroke-ink"
    />
    <circle cx={48} cy={18} r={10} className="fill-ink" />
  </g>,
]

/** The four steps from a visitor to a buyer, each with a drawing. */
export function HowToBuy({ symbol }: { symbol: string }) {
  const { buying } = useSalePageTexts()
  return (
    <ol className="grid gap-x-8 gap-y-10 sm:grid-cols-2 xl:grid-cols-4">
      {buying.steps(symbol).map((step, index) => (
        <li key={step.title} className="flex min-w-0 flex-col gap-4 min-[20rem]:max-sm:flex-row">
          <svg
            viewBox="0 0 96 72"
            aria-hidden="true"
            className="h-18 w-24 shrink-0 forced-color-adjust-none forced-colors:[--accent-ink:HighlightText] forced-colors:[--accent:Highlight] forced-colors:[--ink:CanvasText] forced-colors:[--raised:Canvas]"
          >
            {drawings[index]}
          </svg>
          <div className="flex min-w-0 flex-col gap-2">
            <h3 className="text-16">
              {index + 1}. {step.title}
            </h3>
            <p className="text-quiet">{step.text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
