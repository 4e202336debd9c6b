import { Refusal } from '#domain/refusal.ts'
import { type BatchRow, listBatchClaims, lockBatch } from '#server/database/refunds/batches.ts'
import { lockClaims } from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { noSuchBatch } from './batch-view.ts'

export async function lockOpenBatch(transaction: DatabaseTransaction, id: bigint) {
  const batch = await lockBatch(transaction, id)
  if (batch === null) throw noSuchBatch()
  if (batch.state !== 'open' && batch.state !== 'sent') throw new Refusal('BatchClosed')
  return batch
}

export async function lockOwnClaims(transaction: DatabaseTransaction, { id }: BatchRow) {
  const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const ids = every.filter(({ left_at: leftAt }) => leftAt === null).map((claim) => claim.id)
  return (await lockClaims(transaction, ids)).filter(({ batch_id: batchId }) => batchId === id)
}
