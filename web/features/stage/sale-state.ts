import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Stage } from '#contract/shapes.ts'
import { CallError } from '#web/lib/api/call.ts'

/** The state of the sale: the stage on sale, or why there is none. */
export type SaleState =
  | { status: 'ACTIVE'; stage: Stage }
  | { status: 'NOT_STARTED'; startsDate: string | null; isBetweenStages: boolean }
  | { status: 'PAUSED' }
  | { status: 'ENDED' }

const ENDED_TEXT = 'token sale has ended'

/**
 * The state of the sale from the refusal of the active stage; null for a failure that does not
 * depend on the sale. The end is also recognised by the message (specification section 4).
 */
export function saleStateOf(error: unknown): SaleState | null {
  if (!(error instanceof CallError)) return null
  if (error.reason === 'SaleNotStarted') {
    const { startsDate, isBetweenStages } = error
    return { status: 'NOT_STARTED', startsDate, isBetweenStages }
  }
  if (error.reason === 'SalePaused') return { status: 'PAUSED' }
  const hasEnded = error.reason === 'SaleEnded' || error.message.includes(ENDED_TEXT)
  return hasEnded ? { status: 'ENDED' } : null
}

/** The next instant at which the clock alone changes the sale; null if none is announced. */
export function nextTransitionAt(sale: SaleState | undefined): string | null {
  if (sale?.status === 'ACTIVE') return sale.stage.end_date
  return sale?.status === 'NOT_STARTED' ? sale.startsDate : null
}

/** The status of the sale by its stages; null if none are known. */
export function statusByStages(stages: readonly ListedStage[]): SaleState['status'] | null {
  const has = (status: ListedStage['status']) => stages.some((stage) => stage.status === status)
  if (stages.length === 0) return null
  if (has('active')) return 'ACTIVE'
  if (has('paused')) return 'PAUSED'
  return has('upcoming') ? 'NOT_STARTED' : 'ENDED'
}

/** The next instant at which the clock alone changes the stages; null if none is announced. */
export function stagesMoveOnAt(stages: readonly ListedStage[]): string | null {
  const open = stages.find(({ status }) => status === 'active' || status === 'paused')
  return open === undefined ? (nextStage(stages)?.start_date ?? null) : open.end_date
}

/** The stage that follows: the first that is still to come, or null after the last. */
export function nextStage(stages: readonly ListedStage[]): ListedStage | null {
  return stages.find(({ status }) => status === 'upcoming') ?? null
}
