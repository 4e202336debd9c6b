import { type RawBuilder, sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import type { BatchedClaimRow } from './batches.ts'

/**
 * The ids of some claims, and of those that were rejected and have a receipt in common with one of
 * them: what was sent for such a claim pays the same money.
 */
export const withFormer = (claimIds: readonly string[]): RawBuilder<unknown> => sql`(
  select unnest(${claimIds}::uuid[])
  union
  select former.id from refund_claim_parts as part
  join refund_claim_parts as shared
    on shared.purchase_id = part.purchase_id and shared.receipt_id = part.receipt_id
  join refund_claims as former on former.id = shared.claim_id and former.state = 'rejected'
  where part.claim_id = any (${claimIds}::uuid[])
)`

/**
 * Of some claims those whose money was sent for a rejected claim, by which transaction each, until
 * an operator puts that away in the inbox.
 */
export async function listPaidBefore(
  database: Database,
  claimIds: readonly string[],
): Promise<{ id: string; hash: string }[]> {
  const { rows } = await sql<{ id: string; hash: string }>`
    select distinct part.claim_id as id, double.transaction_hash as hash
    from refund_claim_parts as part
    join refund_claim_parts as shared
      on shared.purchase_id = part.purchase_id and shared.receipt_id = part.receipt_id
    join refund_claims as former on former.id = shared.claim_id and former.state = 'rejected'
    join refund_double_payments as double on double.claim_id = former.id
    where part.claim_id = any (${claimIds}::uuid[]) and not exists (
      select from inbox_closed as closed
      where closed.kind = 'paid_twice' and closed.item_id = double.id::text
    )
    order by 1, 2`.execute(database)
  return rows
}

/** Of some claims and rejected ones to the same money: those that left a batch since an instant. */
export async function listLeftClaims(
  database: Database,
  claimIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<bigint, readonly BatchedClaimRow[]>> {
  const { rows } = await sql<BatchedClaimRow>`
    select claim.*, inside.batch_id as of_batch, inside.left_at
    from refund_batch_claims as inside
    join refund_claims as claim on claim.id = inside.claim_id
    where inside.claim_id in ${withFormer(claimIds)} and inside.left_at > ${since}
    order by inside.batch_id, claim.claimed_at, claim.id`.execute(database)
  return Map.groupBy(rows, ({ of_batch }) => of_batch)
}
