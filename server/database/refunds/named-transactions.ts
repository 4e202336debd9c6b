import { sql } from 'kysely'

import { withFormer } from './former-claims.ts'
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

export type UnsureTransaction = {
  hash: string
  /** Null if no node has shown it, or what it pays, so far. */
  state: 'waiting' | 'unread' | null
}

/**
 * Transactions of batches that claims, or rejected ones to the same money, have left since an
 * instant, which may pay them: those that wait for a block, of which no node tells what they have
 * paid, or that were named and nobody has seen yet.
 */
export async function listUnsureElsewhere(
  database: Database,
  claimIds: readonly string[],
  since = new Date(0),
): Promise<UnsureTransaction[]> {
  if (claimIds.length === 0) return []
  const { rows } = await sql<UnsureTransaction>`
    with former as (
      select distinct batch.id, batch.chain, batch.former_hashes || batch.named_hash as names
      from refund_batch_claims as inside join refund_batches as batch on batch.id = inside.batch_id
      where inside.claim_id in ${withFormer(claimIds)} and inside.left_at > ${since}
    )
    select seen.hash, seen.state from former
    join refund_named_transactions as seen on seen.batch_id = former.id
    where seen.state in ('waiting', 'unread')
    union
    select name.hash, null from former cross join unnest(former.names) as name (hash)
    where name.hash is not null and not exists (
      select from refund_named_transactions as seen
      where seen.batch_id = former.id and seen.hash = name.hash
    ) and not exists (
      select from refund_claims as paid
      where paid.chain = former.chain and paid.transaction_hash = name.hash
    )
    order by hash`.execute(database)
  return rows
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
