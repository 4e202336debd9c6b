import { sql } from 'kysely'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { outcomeColumns } from '#server/database/purchases/purchase.ts'
import { jsonRow } from '#server/database/tables/json-row.ts'
import type { SettlementStart } from './settlements.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

/** A purchase whose receipts are as they were when the outcome was derived from them. */
export type SettledPurchase = SettlementStart & {
  outcome: PurchaseOutcome
  completedAt: Date | null
}

/** Writes the outcomes of purchases, all of them in a fixed number of statements. */
export async function saveSettlements(
  transaction: DatabaseTransaction,
  settled: readonly SettledPurchase[],
  at: Date,
): Promise<void> {
  await savePurchases(transaction, settled)
  await saveSettledReceipts(transaction, settled)
  const ids = settled.map(({ purchase }) => purchase.id)
  await replaceGrants(transaction, ids, settled)
  await replaceRefunds(transaction, ids, settled, at)
}

async function savePurchases(
  transaction: DatabaseTransaction,
  settled: readonly SettledPurchase[],
): Promise<void> {
  const rows = settled.map(({ purchase, outcome, completedAt }) => ({
    id: purchase.id,
    ...jsonRow(outcomeColumns(outcome, completedAt)),
  }))
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  await sql`
    update purchases set (${sql.join(columns.map((column) => sql.ref(column)))}) =
      row (${sql.join(columns.map((column) => sql.ref(`new.${column}`)))})
    from jsonb_populate_recordset(null::purchases, ${JSON.stringify(rows)}::jsonb) as new
    where purchases.id = new.id`.execute(transaction)
}

/**
 * Stores with each receipt what the ledger holds of it, zero for one that no longer counts, and the
 * values that the outcome was derived from: buyers see only those, so that they match the outcome.
 */
async function saveSettledReceipts(
  transaction: DatabaseTransaction,
  settled: readonly SettledPurchase[],
): Promise<void> {
  const rows = settled.flatMap(({ receipts, outcome }) => {
    const booked = new Map(outcome.booked.map(({ receiptId, amount }) => [receiptId, amount]))
    return receipts.map(({ id, amount, confirmations, state }) => ({
      id,
      booked: String(booked.get(id) ?? 0n),
      settled_amount: state === 'gone' ? null : String(amount),
      settled_confirmations: state === 'gone' ? null : confirmations,
    }))
  })
  await sql`
    update receipts set
      booked = new.booked,
      settled_amount = new.settled_amount,
      settled_confirmations = new.settled_confirmations
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new (
      id uuid, booked numeric, settled_amount numeric, settled_confirmations integer
    )
    where receipts.id = new.id
      and (receipts.booked, receipts.settled_amount, receipts.settled_confirmations)
        is distinct from (new.booked, new.settled_amount, new.settled_confirmations)`.execute(
    transaction,
  )
}

async function replaceGrants(
  transaction: DatabaseTransaction,
  purchaseIds: readonly string[],
  settled: readonly SettledPurchase[],
): Promise<void> {
  await transaction.deleteFrom('grants').where('purchase_id', 'in', purchaseIds).execute()
  const rows = settled.flatMap(({ purchase, outcome }) =>
    outcome.grants.map(({ receiptId, stageId, tokens, isShort }) => ({
      receipt_id: receiptId,
      purchase_id: purchase.id,
      stage_id: stageId,
      tokens,
      is_short: isShort,
    })),
  )
  if (rows.length > 0) await transaction.insertInto('grants').values(rows).execute()
}

/** What is listed already keeps the instant since when it has been. */
async function replaceRefunds(
  transaction: DatabaseTransaction,
  purchaseIds: readonly string[],
  settled: readonly SettledPurchase[],
  at: Date,
): Promise<void> {
  const rows = settled.flatMap(({ purchase, outcome }) =>
    outcome.refunds.map(({ receiptId, amount, why }) => ({
      receipt_id: receiptId,
      purchase_id: purchase.id,
      amount,
      why,
      since: at,
    })),
  )
  const listed = rows.map(({ receipt_id }) => receipt_id)
  await transaction
    .deleteFrom('refunds_due')
    .where('purchase_id', 'in', purchaseIds)
    .where('receipt_id', '<>', sql<string>`all (${listed}::uuid[])`)
    .execute()
  if (rows.length === 0) return
  await transaction
    .insertInto('refunds_due')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('receipt_id').doUpdateSet((excluded) => ({
        amount: excluded.ref('excluded.amount'),
        why: excluded.ref('excluded.why'),
      })),
    )
    .execute()
}

/** Adds to the histories of purchases. Gives the id of each entry, in the order of `changed`. */
export async function recordStatuses(
  transaction: DatabaseTransaction,
  changed: readonly SettledPurchase[],
  at: Date,
): Promise<ReadonlyMap<string, bigint>> {
  if (changed.length === 0) return new Map()
  const rows = await transaction
    .insertInto('purchase_status_history')
    .values(
      changed.map(({ purchase, outcome }) => ({
        purchase_id: purchase.id,
        status: outcome.status,
        status_reason: outcome.reason,
        at,
      })),
    )
    .returning(['id', 'purchase_id'])
    .execute()
  return new Map(rows.map(({ id, purchase_id }) => [purchase_id, id]))
}
