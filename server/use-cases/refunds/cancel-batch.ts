import { Refusal } from '#domain/refusal.ts'
import { takeOutOfBatch, updateBatch } from '#server/database/refunds/batches.ts'
import { updateClaims } from '#server/database/refunds/claims.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { type BatchRecord, getBatch } from './batch-view.ts'
import { notifyOfClaim } from './claim-refund.ts'
import { lockOpenBatch, lockOwnClaims } from './lock-open-batch.ts'

/**
 * Cancels a batch of which nothing was seen on the chain, or the unseen part of one that was sent
 * in part. The claims can be put into another batch. Refuses with `NotFound`, `BatchClosed`.
 */
export async function cancelBatch(
  services: Services,
  { id, reason }: { id: bigint; reason: string },
  operator: Operator,
): Promise<BatchRecord> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockOpenBatch(transaction, id)
    const claims = await lockOwnClaims(transaction, batch)
    const unsent = claims.filter(({ state }) => state === 'batched')
    if (unsent.length === 0) {
      throw new Refusal('BatchClosed', { message: 'All of this batch has already been sent' })
    }
    const now = services.clock.now()
    const ids = unsent.map((claim) => claim.id)
    await updateClaims(transaction, ids, { state: 'approved', batch_id: null })
    await takeOutOfBatch(transaction, id, ids, now)
    for (const claim of unsent) await notifyOfClaim(transaction, claim)
    const isWhole = unsent.length === claims.length
    const closed = isWhole
      ? { state: 'cancelled' as const, closed_at: now }
      : { state: 'sent' as const }
    await updateBatch(transaction, id, { ...closed, reason })
    await recordAction(services, transaction, operator, {
      act: 'cancelRefundBatch',
      details: { batch_id: String(id), claims: String(ids.length), reason },
    })
  })
  return await getBatch(services, id)
}
