import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { OtherAmount } from '#server/ports/payouts.ts'

/** What came in another amount than claims asked for, while they were in a batch. */
export async function listOtherAmountsOf(
  database: Database,
  batchId: bigint,
): Promise<Pick<OtherAmount, 'id' | 'transactionHash' | 'index'>[]> {
  return await database
    .selectFrom('refund_other_amounts')
    .select(['claim_id as id', 'transaction_hash as transactionHash', 'output_index as index'])
    .where('batch_id', '=', batchId)
    .execute()
}

/** What came to the addresses of claims in another amount than theirs, in whichever batch. */
export async function listOtherAmounts(
  database: Database,
  claimIds: readonly string[],
): Promise<OtherAmount[]> {
  if (claimIds.length === 0) return []
  return await database
    .selectFrom('refund_other_amounts')
    .select([
      'claim_id as id',
      'transaction_hash as transactionHash',
      'output_index as index',
      'amount',
    ])
    .distinct()
    .where('claim_id', 'in', claimIds)
    .orderBy('claim_id')
    .orderBy('transaction_hash')
    .orderBy('output_index')
    .execute()
}

/** What former batches of the same claims had stays. */
export async function deleteOtherAmounts(
  transaction: DatabaseTransaction,
  batchId: bigint,
): Promise<void> {
  await transaction.deleteFrom('refund_other_amounts').where('batch_id', '=', batchId).execute()
}

/** Stores those of a batch that are not stored yet. */
export async function insertOtherAmounts(
  transaction: DatabaseTransaction,
  batchId: bigint,
  others: readonly OtherAmount[],
): Promise<void> {
  if (others.length === 0) return
  const rows = others.map(({ id, transactionHash, index, amount }) => ({
    batch_id: batchId,
    claim_id: id,
    transaction_hash: transactionHash,
    output_index: index,
    amount,
  }))
  await transaction
    .insertInto('refund_other_amounts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
