import { sql } from 'kysely'

import { cryptoAmount, type CryptoAmount } from '#domain/money.ts'
import type { RefundState } from '#domain/settlement/outcome.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { listRefundRows, type RefundPlace, type RefundRow } from './refunds.ts'

export type ExportedRefundRow = Omit<RefundRow, 'state' | 'payment_id' | 'claim_id' | 'is_held'> & {
  state: RefundState | 'paid_twice'
  /** What was sent; null until it is paid. */
  paid_amount: CryptoAmount | null
}

/** So few that V8 takes their rows for short-lived. */
const EXPORT_BATCH = 200

/**
 * Every refund there ever was, longest owed first, and then what was sent beyond what was owed; in
 * batches from one snapshot.
 */
export function readExportedRefunds(database: Database): AsyncGenerator<ExportedRefundRow[]> {
  return readSnapshot(database, async function* (snapshot) {
    for (let start: RefundPlace | null = null; ;) {
      const page = { state: 'all' as const, start, countMax: EXPORT_BATCH + 1 }
      const rows = await listRefundRows(snapshot, page)
      const next = rows[EXPORT_BATCH]
      if (rows.length > 0) yield rows.slice(0, EXPORT_BATCH).map(withPaidAmount)
      if (next === undefined) break
      const { since, receipt_id, payment_id } = next
      start = { since, receiptId: receipt_id, paymentId: payment_id }
    }
    yield* chunk(await listPaidTwice(snapshot))
  })
}

function withPaidAmount(row: RefundRow): ExportedRefundRow {
  const { amount, fee } = row
  return { ...row, paid_amount: fee === null ? null : cryptoAmount(amount - fee) }
}

/**
 * What was sent for a claim beside what it was paid by, by its receipts. Of a transfer that an
 * operator has recorded by hand since, the refund that it paid has the row.
 */
async function listPaidTwice(database: Database): Promise<ExportedRefundRow[]> {
  const { rows } = await sql<ExportedRefundRow>`
    select
      'paid_twice' as state, part.receipt_id, part.purchase_id, purchases.user_id, users.email,
      receipts.payment_token_id, receipts.asset, 0::numeric as amount, 0::numeric as fee,
      part.amount - part.fee as paid_amount, part.why, part.owed_since as since, receipts.chain,
      receipts.transaction_hash as receipt_hash, purchases.address, purchases.rail,
      double.transaction_hash as paid_hash, double.found_at as paid_at,
      null::timestamptz as gone_at
    from refund_double_payments as double
    join refund_claim_parts as part on part.claim_id = double.claim_id
    join receipts on receipts.id = part.receipt_id
    join purchases on purchases.id = part.purchase_id
    join users on users.id = purchases.user_id
    where not exists (
      select from refund_payments as payment
      where payment.receipt_id = part.receipt_id and payment.claim_id is null
        and payment.chain = double.chain and payment.transaction_hash = double.transaction_hash
    )
    order by double.id, part.receipt_id`.execute(database)
  return rows
}
