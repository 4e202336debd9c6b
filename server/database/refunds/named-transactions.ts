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
