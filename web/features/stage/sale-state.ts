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
 * The state of the sale by the refusal of the active stage; null for a failure that does not depend
 * on the sale. The end is also read from the message (specification section 4).
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

/** The instant at which the sale moves on by the clock; null where nothing is announced. */
export function nextTransitionAt(sale: SaleState | undefined): string | null {
  if (sale?.status === 'ACTIVE') return sale.stage.end_date
  return sale?.status === 'NOT_STARTED' ? sale.startsDate : null
}
