import type { ReactNode } from 'react'

/** The parts of a transaction's dialog that belong to other features; screens fill them in. */
export interface DialogSlots {
  /** When the tokens are released; null if the sale has no plan. */
  releaseLine: ReactNode
  /** When the first of them are; null while that is not set. */
  releasedFrom: Date | null
  /** The same, release by release. */
  releases: ReactNode
  /** The proof that it is in the list of who owns what; nothing if it is in none. */
  proof: ReactNode
  /** What a friend's purchase earns now, in dollars; null if it earns nothing. */
  referral: { earn: number; spend: number } | null
  /** Whether another purchase can be made now. */
  isOnSale: boolean
  stageNameOf: (stageId: string | null) => string | null
}
