import { type RawBuilder, sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'

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
