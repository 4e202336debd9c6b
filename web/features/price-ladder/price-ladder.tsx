import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Transaction } from '#contract/shapes.ts'

export interface PriceLadderProps {
  stages: readonly ListedStage[]
  /** The project's symbol. */
  symbol: string
  /** `large` has every figure written beside its step, `card` fits beside a chart, `strip` is thin. */
  size: 'large' | 'card' | 'strip'
  /** The buyer's own completed purchases, drawn as dots. */
  purchases?: readonly Transaction[]
  /** Tokens that a purchase being typed would take from the active stage, drawn as a part of it. */
  wantedTokens?: number
}

/** The sale as a drawing: width is tokens, height is price, filled is what is sold. */
export function PriceLadder({ stages }: PriceLadderProps) {
  return <div data-stages={stages.length} />
}
