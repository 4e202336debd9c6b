import { sql } from 'kysely'

import type { UndecidedKind } from '#domain/delivery/undecided.ts'
import { activeClaimStates } from '#domain/refunds/claim-states.ts'
import { growingPurchases } from '#server/database/books/growing-purchases.ts'
import type { Database } from '#server/database/tables/tables.ts'

export type CountedKind = Exclude<UndecidedKind, 'sale' | 'soft_cap' | 'pause' | 'books' | 'chain'>

const active = sql.join(activeClaimStates.map((state) => sql.lit(state)))

/** A withdrawal that came in time is written a little later: its password is compared first. */
const WRITTEN_WITHIN_MS = 60_000

/**
 * How much there is of each kind that can still change who owns tokens, at one moment, with the ids
 * of the oldest purchases that wait for confirmations.
 */
export async function countUndecidedRows(
  database: Database,
  now: Date,
  namedMax: number,
): Promise<Record<CountedKind, number> & { confirmingIds: string[] }> {
  const writtenSince = new Date(now.getTime() - WRITTEN_WITHIN_MS)
  const { rows } = await sql<Record<CountedKind, number> & { confirmingIds: string[] }>`
    with unconfirmed as (
      select id, created_at from purchases
      where status = 'processing' and status_reason is distinct from 'held'
      union ${growingPurchases}
    )
    select
      (select count(*)::integer from settlements_due) as settlement,
      (select count(*)::integer from purchases where status = 'pending') as unpaid,
      (select count(*)::integer from unconfirmed) as confirming,
      array(
        select id::text from unconfirmed order by created_at, id limit ${namedMax}
      ) as "confirmingIds",
      (select count(*)::integer from purchases where status_reason = 'held') as held,
      (
        select count(*)::integer from purchases
        where status = 'completed' and withdrawable_until > ${writtenSince}
      ) as withdrawable,
      (
        select count(*)::integer from refund_claims as claim
        where claim.state in (${active}) and exists (
          select from refund_claim_parts as part
          join purchases on purchases.id = part.purchase_id
          where part.claim_id = claim.id and purchases.reversal = 'withdrawn'
        )
      ) as refund_claim`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('A row of counts is one row.')
  return row
}
