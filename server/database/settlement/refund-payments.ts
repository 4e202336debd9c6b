import { sql } from 'kysely'

import type { CryptoAmount } from '#domain/money.ts'
import { promisedClaimStates } from '#domain/refunds/claim-states.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'
import { isPaidSince } from '#server/database/refunds/claims.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
} from '#server/database/tables/tables.ts'

export type RefundPaymentRow = Row<'refund_payments'>

/**
 * What was paid back for the receipts of purchases, by receipt, and what is promised to approved
 * claims, which no later payment may change.
 */
export async function sumPaidBack(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, CryptoAmount>> {
  const promised = sql.join(promisedClaimStates.map((state) => sql.lit(state)))
  const { rows } = await sql<{ receipt_id: string; sum: CryptoAmount }>`
    select receipt_id, sum(amount) as sum
    from (
      select receipt_id, amount from refund_payments
      where purchase_id = any (${purchaseIds}::uuid[])
      union all
      select part.receipt_id, part.amount from refund_claim_parts as part
      join refund_claims as claim on claim.id = part.claim_id
      where part.purchase_id = any (${purchaseIds}::uuid[]) and part.is_active
        and claim.state in (${promised})
    ) as gone
    group by receipt_id`.execute(database)
  return new Map(rows.map(({ receipt_id, sum }) => [receipt_id, sum]))
}

/** What an operator says was sent of what is owed for a receipt. */
export type BeingSent = {
  receipt_id: string
  /** A decimal in the receipt's own unit: of several marks, the most that one of them says. */
  amount: string
  /** Null while it is not owed, as after a reorganisation, until its payment is back. */
  why: RefundDue['why'] | null
}

/**
 * What was owed of receipts and was sent by hand, as marks say that wait for a second person: until
 * they are decided, settling must not turn it into tokens.
 */
export async function listBeingSent(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, BeingSent>> {
  const { rows } = await sql<BeingSent>`
    select mark.about as receipt_id, min(due.why) as why,
      max((mark.input ->> 'amount')::numeric)::text as amount
    from approvals as mark
    left join refunds_due as due on due.receipt_id::text = mark.about
      and due.purchase_id = mark.purchase_id
    where mark.purchase_id = any (${purchaseIds}::uuid[]) and mark.act = 'payRefund'
      and mark.state in ('waiting', 'approved') and not ${isPaidSince}
    group by mark.about`.execute(database)
  return new Map(rows.map((row) => [row.receipt_id, row]))
}

/** The payment for a receipt that a transaction made; null if it made none. */
export async function findRefundPayment(
  database: Database,
  receiptId: string,
  transactionHash: string,
): Promise<RefundPaymentRow | null> {
  const row = await database
    .selectFrom('refund_payments')
    .selectAll()
    .where('receipt_id', '=', receiptId)
    .where('transaction_hash', '=', transactionHash)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function findRefundPaymentById(
  database: Database,
  id: bigint,
): Promise<(RefundPaymentRow & { payment_token_id: string | null }) | null> {
  const row = await database
    .selectFrom('refund_payments')
    .innerJoin('receipts', 'receipts.id', 'refund_payments.receipt_id')
    .selectAll('refund_payments')
    .select('receipts.payment_token_id')
    .where('refund_payments.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Refunds of one transaction that are recorded at once take one place after the other. */
const TRIES_MAX = 10

/**
 * Records that a refund was paid. The first refund of a transaction takes place 0, and so does each
 * that is not shared: null if the place is taken. Refunds that share a transaction take the next
 * place that is free; null if others were quicker each time.
 */
export async function insertRefundPayment(
  transaction: DatabaseTransaction,
  payment: Omit<InsertedRow<'refund_payments'>, 'place'>,
  isShared: boolean,
): Promise<bigint | null> {
  const { chain, transaction_hash: hash } = payment
  const next = sql<number>`(
    select coalesce(max(place) + 1, 0) from refund_payments
    where chain = ${chain} and transaction_hash = ${hash}
  )`
  for (let tries = 0; tries < (isShared ? TRIES_MAX : 1); tries += 1) {
    const row = await transaction
      .insertInto('refund_payments')
      .values({ ...payment, place: isShared ? next : 0 })
      .onConflict((taken) => taken.columns(['chain', 'transaction_hash', 'place']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
  }
  return null
}

/** Whether a transaction is recorded as paying claims of another batch. */
export async function hasPaidOtherBatch(
  database: Database,
  { batchId, chain, hash }: { batchId: bigint; chain: string; hash: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('refund_payments')
    .innerJoin('refund_claims', 'refund_claims.id', 'refund_payments.claim_id')
    .select('refund_claims.id')
    .where('refund_payments.chain', '=', chain)
    .where('refund_payments.transaction_hash', '=', hash)
    .where('refund_claims.batch_id', '<>', batchId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this transaction brought money to one of our addresses. */
export async function isReceiptHash(
  database: Database,
  chain: string,
  transactionHash: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('receipts')
    .select('id')
    .where('chain', '=', chain)
    .where('transaction_hash', '=', transactionHash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
