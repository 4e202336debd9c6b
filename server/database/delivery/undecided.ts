import { type RawBuilder, sql } from 'kysely'

import type { UndecidedKind } from '#domain/delivery/undecided.ts'
import { activeClaimStates, promisedClaimStates } from '#domain/refunds/claim-states.ts'
import { growingPurchases } from '#server/database/books/growing-purchases.ts'
import type { Database } from '#server/database/tables/tables.ts'

export type CountedKind = Exclude<UndecidedKind, 'sale' | 'soft_cap' | 'pause' | 'books' | 'chain'>

const [active, promised] = [activeClaimStates, promisedClaimStates].map((states) =>
  sql.join(states.map((state) => sql.lit(state))),
)

/** What an operator last decided about a purchase; the stricter of two at one instant. */
const lastMark = sql`(
  select kind from operator_marks where purchase_id = purchases.id
  order by at desc, kind = 'released' limit 1
)`

/**
 * Whether money of a receipt that is owed back, and for this reason, may buy tokens if it is not
 * paid back after all: more came later, or what had stopped its purchase is over. What came late
 * while nothing was on sale, or had no price until it was confirmed, buys nothing.
 */
const mayBuy = (why: RawBuilder<unknown>) => sql`(
  purchases.reversal is null and ${why} in ('underpaid', 'late', 'failed')
  and (receipts.market_crypto_price is not null or receipts.seen_at <= purchases.grace_ends_at)
  and (
    purchases.status = 'completed' or (
      purchases.status_reason is distinct from 'underpaid' and not purchases.has_gateway_failed
      and (${lastMark} = 'released' or (${lastMark} is null and ${why} = 'failed'))
    )
  )
)`

const refundMarks = sql`
  select count(*)::integer as count from approvals as mark
  where mark.act = 'payRefund' and mark.state in ('waiting', 'approved') and exists (
    select from refunds_due as due
    join purchases on purchases.id = due.purchase_id
    join receipts on receipts.id = due.receipt_id
    where due.purchase_id = mark.purchase_id and due.receipt_id::text = mark.about
      and ${mayBuy(sql`due.why`)}
  )`

/** How many refunds wait to be marked as paid whose money may buy tokens if that is refused. */
export async function countRefundMarks(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`${refundMarks}`.execute(database)
  return rows[0]?.count ?? 0
}

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
          join receipts on receipts.id = part.receipt_id
          where part.claim_id = claim.id and (
            purchases.reversal = 'withdrawn'
            or (claim.state in (${promised}) and ${mayBuy(sql`part.why`)})
          )
        )
      ) as refund_claim,
      (${refundMarks}) as refund_mark`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('A row of counts is one row.')
  return row
}
