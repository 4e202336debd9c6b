import { type Expression, sql } from 'kysely'

import type { Database, Row } from '#server/database/tables/tables.ts'

type SessionRecord = Pick<
  Row<'sessions'>,
  'id' | 'user_agent' | 'address' | 'started_at' | 'last_used_at' | 'ended_at'
>

/** The sessions that are still stored, including ended ones, newest first. */
export async function listSessionRecords(
  database: Database,
  userId: string,
): Promise<SessionRecord[]> {
  return await database
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'started_at', 'last_used_at', 'ended_at'])
    .where('user_id', '=', userId)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function listPlaceRecords(database: Database, userId: string) {
  return await database
    .selectFrom('login_places')
    .select(['first_used_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .execute()
}

export async function listLinkRecords(database: Database, userId: string) {
  return await database
    .selectFrom('mailed_links')
    .select(['purpose', 'created_at', 'expires_at', 'closed_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .execute()
}

export async function listMailRecords(database: Database, userId: string) {
  return await database
    .selectFrom('outbox_mails')
    .select(['kind', 'params', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Transfers for the user's purchases and rewards, and on the user's own account. */
export async function listLedgerRecords(
  database: Database,
  userId: string,
  transactionIds: readonly string[],
): Promise<Row<'ledger_transfers'>[]> {
  return await database
    .selectFrom('ledger_transfers')
    .selectAll()
    .where((where) =>
      where.or([where('user_id', '=', userId), where('cause_id', '=', anyOf(transactionIds))]),
    )
    .orderBy('id')
    .execute()
}

/** What became of the purchases, in order, and what operators decided about them. */
export async function listPurchaseRecords(database: Database, purchaseIds: readonly string[]) {
  const ids = anyOf(purchaseIds)
  const refunds = database
    .selectFrom('refunds_due')
    .innerJoin('receipts', 'receipts.id', 'refunds_due.receipt_id')
    .selectAll('refunds_due')
    .select(['receipts.payment_token_id', 'receipts.chain', 'receipts.asset'])
    .where('refunds_due.purchase_id', '=', ids)
    .orderBy('refunds_due.receipt_id')
  const payments = database
    .selectFrom('refund_payments')
    .innerJoin('receipts', 'receipts.id', 'refund_payments.receipt_id')
    .selectAll('refund_payments')
    .select(['receipts.payment_token_id', 'receipts.chain', 'receipts.asset'])
    .where('refund_payments.purchase_id', '=', ids)
    .orderBy('refund_payments.id')
  const history = database
    .selectFrom('purchase_status_history')
    .selectAll()
    .where('purchase_id', '=', ids)
    .orderBy('id')
  const marks = database
    .selectFrom('operator_marks')
    .selectAll()
    .where('purchase_id', '=', ids)
    .orderBy('id')
  return {
    history: await history.execute(),
    marks: await marks.execute(),
    refunds: await refunds.execute(),
    refundPayments: await payments.execute(),
  }
}

/**
 * What operators did about a user, or about one of their purchases, without the names of those who
 * did it.
 */
export async function listActionRecords(
  database: Database,
  userId: string,
  purchaseIds: readonly string[],
) {
  return await database
    .selectFrom('operator_actions')
    .select(['purchase_id', 'act', 'at'])
    .select(sql<Record<string, string>>`details - 'approved_by'`.as('details'))
    .where((where) =>
      where.or([where('user_id', '=', userId), where('purchase_id', '=', anyOf(purchaseIds))]),
    )
    .orderBy('id')
    .execute()
}

/** One parameter, however many ids: the number of parameters is limited. */
function anyOf(ids: readonly string[]): Expression<string> {
  return sql<string>`any (${ids}::uuid[])`
}
