import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import { createPurchases } from '#server/database/purchases/create-purchases.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { createBatcher } from './batcher.ts'
import type { Services } from '#server/services.ts'

const BATCH_MAX = 128
/** About a second's work: beyond that, a retry is answered sooner than a wait. */
const WAITING_MAX = 5_000

/**
 * Books purchases in batches (see the decision record). Each stage has a batcher of its own, so
 * that a failure in one stage does not affect another.
 */
export function createBooking(open: Pick<OpenDatabase, 'runNamed'>): Services['bookPurchase'] {
  const stages = new Map<string, Services['bookPurchase']>()
  const batcherOf = (stageId: string) => {
    const known = stages.get(stageId)
    if (known !== undefined) return known
    const batcher = createBatcher<PurchaseRequest, Booking>({
      batchMax: BATCH_MAX,
      waitingMax: WAITING_MAX,
      // The statement checks the limits of each user against one purchase a batch.
      keyOf: (request) => request.userId,
      run: (batch) => createPurchases(open, stageId, batch),
      isFaultOfOne: isDataFault,
    })
    stages.set(stageId, batcher)
    return batcher
  }
  return (request) => batcherOf(request.terms.stageId)(request)
}

/** PostgreSQL's classes 22 (data exception) and 23 (integrity constraint violation). */
function isDataFault(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^2[23]/.test(String(cause.code))
}
