import type { ReactNode } from 'react'

/** What a transaction's dialog shows of other features; screens fill it in. */
export interface DialogSlots {
  /** When the tokens are released; null where the sale has no plan. */
  releaseLine: ReactNode
  /** What a friend's purchase earns now, in dollars; null where it earns nothing. */
  referral: { earn: number; spend: number } | null
  /** The name of a stage by its id; null where it is not known. */
  stageNameOf: (stageId: string | null) => string | null
}
