import type { Database } from '#server/database/tables/tables.ts'
import type { NamedSight } from '#server/ports/payouts.ts'

/** What chains have shown of the transactions that were named for a batch, by their hashes. */
export async function listNamedSights(
  database: Database,
  batchId: bigint,
): Promise<ReadonlyMap<string, NamedSight>> {
  const rows = await database
    .selectFrom('refund_named_transactions')
    .select(['hash', 'spends', 'state', 'replaced_by as replacedBy'])
    .where('batch_id', '=', batchId)
    .orderBy('hash')
    .execute()
  return new Map(rows.map((row) => [row.hash, row]))
}

/**
 * Named transactions of batches that claims have left which wait for a block, or of which no node
 * tells what they have paid: they may pay them.
 */
export async function listUnsureElsewhere(
  database: Database,
  claimIds: readonly string[],
): Promise<Pick<NamedSight, 'hash' | 'state'>[]> {
  if (claimIds.length === 0) return []
  return await database
    .selectFrom('refund_batch_claims as inside')
    .innerJoin('refund_named_transactions as named', 'named.batch_id', 'inside.batch_id')
    .select(['named.hash', 'named.state'])
    .distinct()
    .where('inside.claim_id', 'in', claimIds)
    .where('inside.left_at', 'is not', null)
    .where('named.state', 'in', ['waiting', 'unread'])
    .orderBy('named.hash')
    .execute()
}

export async function saveNamedSight(
  database: Database,
  batchId: bigint,
  { hash, spends, state, replacedBy }: NamedSight,
): Promise<void> {
  const seen = { spends, state, replaced_by: replacedBy }
  await database
    .insertInto('refund_named_transactions')
    .values({ batch_id: batchId, hash, ...seen })
    .onConflict((conflict) => conflict.columns(['batch_id', 'hash']).doUpdateSet(seen))
    .execute()
}
