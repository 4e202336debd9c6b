import { sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import type { CryptoAmount } from '#domain/money.ts'
import { activeClaimStates } from '#domain/refunds/claim-states.ts'
import type { RailName } from '#domain/sale/sale.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
  RowChanges,
} from '#server/database/tables/tables.ts'

export type ClaimRow = Row<'refund_claims'>

/** Whether the newest operator's mark on a purchase holds it: then nothing of it is paid back. */
export const isHeld = (
  purchaseId: 'purchases.id' | 'part.purchase_id' | 'due.purchase_id' | 'receipts.purchase_id',
) => sql<boolean>`coalesce((
  select mark.kind = 'held' from operator_marks as mark
  where mark.purchase_id = ${sql.ref(purchaseId)} order by mark.id desc limit 1
), false)`

/**
 * Whether the receipt of a `mark` was paid back since that was asked for: then it no longer says
 * that anything is being sent.
 */
export const isPaidSince = sql<boolean>`exists (
  select from refund_payments as payment
  where payment.receipt_id = mark.about::uuid and payment.paid_at >= mark.asked_at
)`

/** What is owed to a buyer from one receipt. */
export type OwedPartRow = {
  receipt_id: string
  purchase_id: string
  rail: RailName
  chain: string
  /** Null if the asset is not one of the sale's payment tokens. */
  payment_token_id: string | null
  /** What its chain or gateway calls such an asset; null for any other. */
  asset: string | null
  amount: CryptoAmount
  why: RefundDue['why']
  since: Date
  /** True if another claim to a part of the same receipt is promised and not paid. */
  is_busy: boolean
}

/** What one claim takes: anybody can send specks, and each is a receipt that is owed back. */
const PARTS_MAX = 1_000

/**
 * What is owed to a buyer and is in no claim yet, longest owed first: of each asset the largest
 * parts. Leaves out purchases that an operator holds.
 */
export async function listOwedParts(database: Database, userId: string): Promise<OwedPartRow[]> {
  const owed = sql`
    select due.receipt_id, due.purchase_id, purchases.rail, receipts.chain,
      receipts.payment_token_id, receipts.asset, due.amount, due.why, due.since,
      claim.state is not null as is_busy
    from purchases
    join refunds_due as due on due.purchase_id = purchases.id
    join receipts on receipts.id = due.receipt_id
    left join refund_claim_parts as part on part.receipt_id = due.receipt_id and part.is_active
    left join refund_claims as claim on claim.id = part.claim_id
    -- What is claimed and not approved is what this list has.
    where purchases.user_id = ${userId} and claim.state is distinct from 'claimed'
      and not ${isHeld('purchases.id')}`
  const { rows } = await sql<OwedPartRow>`
    select * from (
      select owed.*, row_number() over (
        partition by rail, chain, payment_token_id, asset, is_busy
        order by amount desc, receipt_id
      ) as place
      from (${owed}) as owed
    ) as ranked
    where place <= ${PARTS_MAX} order by since, receipt_id`.execute(database)
  return rows
}

export type ClaimPartRow = Row<'refund_claim_parts'> & {
  /** Whether the ledger still holds the money that the part is for; true once it is closed. */
  is_covered: boolean
  /** Whether an operator holds its purchase. */
  is_held: boolean
}

/** The parts of claims, by claim, in a fixed order. */
export async function listClaimParts(
  database: Database,
  claimIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ClaimPartRow[]>> {
  if (claimIds.length === 0) return new Map()
  const { rows } = await sql<ClaimPartRow>`
    select part.*, not part.is_active or receipts.booked >= part.amount + coalesce((
      select sum(payment.amount) from refund_payments as payment
      where payment.receipt_id = part.receipt_id
    ), 0) as is_covered, ${isHeld('part.purchase_id')} as is_held
    from refund_claim_parts as part
    join receipts on receipts.id = part.receipt_id
    where part.claim_id = any (${claimIds}::uuid[])
    order by part.receipt_id`.execute(database)
  return Map.groupBy(rows, ({ claim_id }) => claim_id)
}

/** The same of one claim. */
export async function listPartsOf(
  database: Database,
  claimId: string,
): Promise<readonly ClaimPartRow[]> {
  return (await listClaimParts(database, [claimId])).get(claimId) ?? []
}

/** Call it with the purchases of its parts locked. False if another claim has one of them. */
export async function insertClaim(
  transaction: DatabaseTransaction,
  claim: InsertedRow<'refund_claims'>,
  parts: readonly Omit<InsertedRow<'refund_claim_parts'>, 'claim_id'>[],
): Promise<boolean> {
  await transaction.insertInto('refund_claims').values(claim).execute()
  const rows = await transaction
    .insertInto('refund_claim_parts')
    .values(parts.map((part) => ({ ...part, claim_id: claim.id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('receipt_id')
    .execute()
  return rows.length === parts.length
}

export async function findClaim(database: Database, id: string) {
  return await findRow(database, 'refund_claims', { id })
}

/**
 * To change a claim, lock the purchases of its parts first, and then the claim. Everybody locks
 * claims in this order.
 */
export async function lockClaims(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<ClaimRow[]> {
  if (ids.length === 0) return []
  return await transaction
    .selectFrom('refund_claims')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('claimed_at')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateClaims(
  transaction: Database,
  ids: readonly string[],
  change: RowChanges<'refund_claims'>,
): Promise<void> {
  if (ids.length === 0) return
  await transaction.updateTable('refund_claims').set(change).where('id', 'in', ids).execute()
}

/** Closes a claim: its receipts can be in another one. */
export async function closeClaim(
  transaction: DatabaseTransaction,
  id: string,
  closed: { state: 'confirmed' | 'rejected' | 'cancelled'; reason?: string; closed_at: Date },
): Promise<void> {
  await updateClaims(transaction, [id], closed)
  await transaction
    .updateTable('refund_claim_parts')
    .set({ is_active: false })
    .where('claim_id', '=', id)
    .execute()
}

/** A buyer's claims: the open ones, and the newest of the closed ones, or all. */
export async function listClaimsOf(
  database: Database,
  userId: string,
  closedMax: number | null,
): Promise<ClaimRow[]> {
  const active = sql.join(activeClaimStates.map((state) => sql.lit(state)))
  const { rows } = await sql<ClaimRow>`
    select * from refund_claims where user_id = ${userId} and state in (${active})
    union all
    select * from (
      select * from refund_claims
      where user_id = ${userId} and state not in (${active})
      order by claimed_at desc, id desc limit ${closedMax}::integer
    ) as closed
    order by claimed_at desc, id desc`.execute(database)
  return rows
}

/**
 * Claims whose transfer was seen on a chain and which were paid since an instant, or since the
 * earlier one if it has gone.
 */
export async function listPaidClaims(
  database: Database,
  { since, goneSince }: { since: Date; goneSince: Date },
): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select * from refund_claims
    where state = 'confirmed' and output_index is not null
      and (closed_at > ${since} or (gone_at is not null and closed_at > ${goneSince}))
    order by id`.execute(database)
  return rows
}

export async function isClaimed(database: Database, receiptId: string): Promise<boolean> {
  const row = await findRow(database, 'refund_claim_parts', {
    receipt_id: receiptId,
    is_active: true,
  })
  return row !== null
}

/** Whether a transaction was found to pay a claim, or named as paying it. */
export async function hasPaidClaim(
  database: Database,
  { chain, hash }: { chain: string; hash: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('refund_claims')
    .select('id')
    .where('chain', '=', chain)
    .where('transaction_hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What was promised to a closed claim is owed again, in addition to what is owed by now. */
export async function restoreRefundDue(
  transaction: DatabaseTransaction,
  parts: readonly ClaimPartRow[],
): Promise<void> {
  await transaction
    .insertInto('refunds_due')
    .values(
      parts.map(({ receipt_id, purchase_id, amount, why, owed_since }) => ({
        receipt_id,
        purchase_id,
        amount,
        why,
        since: owed_since,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('receipt_id').doUpdateSet((excluded) => ({
        amount: sql`refunds_due.amount + ${excluded.ref('excluded.amount')}`,
        since: sql`least(refunds_due.since, ${excluded.ref('excluded.since')})`,
      })),
    )
    .execute()
}

/** What the ledger holds of receipts, and what was paid back or is promised of each. */
export async function listCoverage(
  database: Database,
  receiptIds: readonly string[],
): Promise<ReadonlyMap<string, { booked: bigint; paidBack: bigint }>> {
  const { rows } = await sql<{ id: string; booked: bigint; paid_back: bigint }>`
    select id, booked, coalesce((
      select sum(amount) from refund_payments where receipt_id = receipts.id
    ), 0) + coalesce((
      select sum(part.amount) from refund_claim_parts as part
      join refund_claims as claim on claim.id = part.claim_id
      where part.receipt_id = receipts.id and part.is_active
        and claim.state in ('approved', 'batched', 'sent')
    ), 0) as paid_back
    from receipts where id = any (${receiptIds}::uuid[])`.execute(database)
  return new Map(rows.map(({ id, booked, paid_back }) => [id, { booked, paidBack: paid_back }]))
}
