import { type Insertable, type Selectable, sql } from 'kysely'

import type { CryptoAmount } from '#domain/money.ts'
import type { RefundPaymentsTable } from '#server/database/tables/sale-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type RefundPaymentRow = Selectable<RefundPaymentsTable>

/** What was paid back of the receipts of purchases, by receipt. */
export async function sumPaidBack(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, CryptoAmount>> {
  const rows = await database
    .selectFrom('refund_payments')
    .select(({ fn }) => ['receipt_id', fn.sum<CryptoAmount>('amount').as('sum')])
    .where('purchase_id', 'in', purchaseIds)
    .groupBy('receipt_id')
    .execute()
  return new Map(rows.map(({ receipt_id, sum }) => [receipt_id, sum]))
}

/** The payment of a receipt that a transaction made; null where it made none. */
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

/** A payment by its id, with the payment token of its receipt. */
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

/**
 * Records that a refund was paid. The first refund of a transaction takes place 0, and so does each
 * that is not `shared`: null where the place is taken. Those that share a transaction take the next
 * place; null where another one was quicker.
 */
export async function insertRefundPayment(
  transaction: DatabaseTransaction,
  payment: Omit<Insertable<RefundPaymentsTable>, 'place'>,
  isShared: boolean,
): Promise<bigint | null> {
  const { chain, transaction_hash: hash } = payment
  const next = sql<number>`(
    select coalesce(max(place) + 1, 0) from refund_payments
    where chain = ${chain} and transaction_hash = ${hash}
  )`
  const row = await transaction
    .insertInto('refund_payments')
    .values({ ...payment, place: isShared ? next : 0 })
    .onConflict((conflict) => conflict.columns(['chain', 'transaction_hash', 'place']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Whether money came to one of our addresses by this transaction. */
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
