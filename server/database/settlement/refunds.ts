import { type RawBuilder, sql } from 'kysely'

import type { CryptoAmount } from '#domain/money.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'
import type { RailName } from '#domain/sale/sale.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/**
 * `open`: owed. `paid`: paid back. `uncovered`: paid back, and the money that it was paid for is
 * not there any more, because a reorganisation took the receipt away.
 */
export type RefundState = 'open' | 'paid' | 'uncovered'

export type RefundRow = {
  state: RefundState
  receipt_id: string
  /** Of the payment; zero while it is open. */
  payment_id: bigint
  purchase_id: string
  user_id: string
  email: string
  /** Of the receipt; null where its asset is none of the sale's payment tokens. */
  payment_token_id: string | null
  amount: CryptoAmount
  why: RefundDue['why']
  since: Date
  chain: string
  receipt_hash: string
  address: string
  rail: RailName
  paid_hash: string | null
  paid_at: Date | null
}

/** Where a page begins, inclusive. */
export type RefundPlace = { since: Date; receiptId: string; paymentId: bigint }

const open = sql`
  select
    'open' as state, receipt_id, 0::bigint as payment_id, amount, why, since,
    null::text as paid_hash, null::timestamptz as paid_at
  from refunds_due`

/** Payments of which the ledger does not hold the money that they were for. */
const isUncovered = sql<boolean>`(
  select receipts.booked from receipts where receipts.id = payment.receipt_id
) < (
  select sum(every.amount) from refund_payments as every
  where every.receipt_id = payment.receipt_id
)`

const paid = sql`
  select
    case when ${isUncovered} then 'uncovered' else 'paid' end, receipt_id, id, amount, why,
    owed_since, transaction_hash, paid_at
  from refund_payments as payment`

/** Refunds, the longest owed first: those that are open, or all that there ever were. */
export async function listRefundRows(
  database: Database,
  page: { isAll: boolean; start: RefundPlace | null; countMax: number },
): Promise<RefundRow[]> {
  const { isAll, start, countMax } = page
  const all = isAll ? sql`${open} union all ${paid}` : open
  const beyond =
    start === null
      ? sql`true`
      : sql`(since, receipt_id, payment_id) >=
          (${start.since}, ${start.receiptId}::uuid, ${start.paymentId}::bigint)`
  return await readRows(database, sql`select * from (${all}) as each where ${beyond}`, countMax)
}

/** All refunds of one purchase. */
export async function listRefundRowsOf(
  database: Database,
  purchaseId: string,
): Promise<RefundRow[]> {
  const all = sql`
    select * from (${open} union all ${paid}) as each
    where receipt_id in (select id from receipts where purchase_id = ${purchaseId})`
  return await readRows(database, all, null)
}

/** The payment of a refund. */
export async function findRefundRow(
  database: Database,
  paymentId: bigint,
): Promise<RefundRow | null> {
  const all = sql`select * from (${open} union all ${paid}) as each where payment_id = ${paymentId}`
  const [row] = await readRows(database, all, 1)
  return row ?? null
}

async function readRows(
  database: Database,
  refunds: RawBuilder<unknown>,
  countMax: number | null,
): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select
      refund.*, receipts.purchase_id, purchases.user_id, users.email, receipts.payment_token_id,
      receipts.chain, receipts.transaction_hash as receipt_hash, purchases.address, purchases.rail
    from (${refunds}) as refund
    join receipts on receipts.id = refund.receipt_id
    join purchases on purchases.id = receipts.purchase_id
    join users on users.id = purchases.user_id
    order by since, receipt_id, payment_id
    limit ${countMax}::bigint`.execute(database)
  return rows
}

export type OwedAsset = { payment_token_id: string | null; amount: CryptoAmount; count: number }

/** What is owed back in all, by the asset that it came in. */
export async function sumOwed(database: Database): Promise<OwedAsset[]> {
  return await database
    .selectFrom('refunds_due')
    .innerJoin('receipts', 'receipts.id', 'refunds_due.receipt_id')
    .select(({ fn }) => [
      'receipts.payment_token_id',
      fn.sum<CryptoAmount>('refunds_due.amount').as('amount'),
      sql<number>`count(*)::integer`.as('count'),
    ])
    .groupBy('receipts.payment_token_id')
    .orderBy('receipts.payment_token_id')
    .execute()
}

export type RefundCounts = Record<RefundState, number>

/** How many refunds are in each state. */
export async function countRefunds(database: Database): Promise<RefundCounts> {
  const { rows } = await sql<RefundCounts>`
    select
      (select count(*)::integer from refunds_due) as open,
      (count(*) filter (where not ${isUncovered}))::integer as paid,
      (count(*) filter (where ${isUncovered}))::integer as uncovered
    from refund_payments as payment`.execute(database)
  return rows[0] ?? { open: 0, paid: 0, uncovered: 0 }
}

/** A receipt with what is owed of it. */
export type OwedReceipt = {
  id: string
  purchaseId: string
  chain: string
  paymentTokenId: string | null
  owed: { amount: CryptoAmount; why: RefundDue['why']; since: Date } | null
}

/** Null where there is no such receipt. */
export async function findOwedReceipt(
  database: Database,
  receiptId: string,
): Promise<OwedReceipt | null> {
  const row = await database
    .selectFrom('receipts')
    .leftJoin('refunds_due', 'refunds_due.receipt_id', 'receipts.id')
    .select([
      'receipts.id',
      'receipts.purchase_id',
      'receipts.chain',
      'receipts.payment_token_id',
      'refunds_due.amount',
      'refunds_due.why',
      'refunds_due.since',
    ])
    .where('receipts.id', '=', receiptId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { amount, why, since } = row
  return {
    id: row.id,
    purchaseId: row.purchase_id,
    chain: row.chain,
    paymentTokenId: row.payment_token_id,
    owed: amount === null || why === null || since === null ? null : { amount, why, since },
  }
}

/** Takes a refund off the list, once it is paid. */
export async function deleteRefundDue(
  transaction: DatabaseTransaction,
  receiptId: string,
): Promise<void> {
  await transaction.deleteFrom('refunds_due').where('receipt_id', '=', receiptId).execute()
}
