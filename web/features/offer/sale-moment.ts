import type { ListedStage } from '#contract/sale-page-shapes.ts'

export interface SaleMoment {
  /** `between` is after one stage and before the next; `upcoming` is before the first. */
  status: 'active' | 'paused' | 'upcoming' | 'between' | 'ended'
  /** The stage on sale, or else the next one; the last one once all are over. */
  stage: ListedStage
  /** Its place in the sale, from 1. */
  number: number
  /** The stage after it; null if it is the last one. */
  next: ListedStage | null
}

/** Null for a sale without stages. */
export function saleMomentOf(stages: readonly ListedStage[]): SaleMoment | null {
  const index = stages.findIndex(({ status }) => status !== 'ended')
  const stage = stages[index] ?? stages.at(-1)
  if (stage === undefined) return null
  const at = index === -1 ? stages.length - 1 : index
  const isBetween = stage.status === 'upcoming' && at > 0
  return {
    status: isBetween ? 'between' : stage.status,
    stage,
    number: at + 1,
    next: stages[at + 1] ?? null,
  }
}
