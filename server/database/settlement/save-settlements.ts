import { sql } from 'kysely'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { bookedReceipts } from '#domain/settlement/settle.ts'
import { outcomeColumns } from '#server/database/purchases/purchase.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { LoadedSettlement, SettlementStart } from './settlements.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

/** A purchase whose receipts are unchanged since the outcome was derived from them. */
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
  await replaceGrants(transaction, settled)
  await replaceRefunds(transaction, settled, at)
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
 * Stores with each receipt what the ledger holds of it (zero if it no longer counts), and the
 * values from which the outcome is derived: buyers see only those, so that they match the outcome.
 * None of it depends on what stages can give, so call it before the counters are locked.
 */
export async function saveSettledReceipts(
  transaction: DatabaseTransaction,
  loaded: readonly LoadedSettlement[],
): Promise<void> {
  const rows = loaded.flatMap(({ receipts, facts }) => {
    const booked = new Map(
      bookedReceipts(facts).map(({ receiptId, amount }) => [receiptId, amount]),
    )
    return receipts.map(({ id, amount, confirmations, state }) => ({
      id,
      booked: booked.get(id) ?? 0n,
      amount: state === 'gone' ? null : amount,
      confirmations: state === 'gone' ? null : confirmations,
    }))
  })
  if (rows.length === 0) return
  await sql`
    update receipts set
      booked = new.booked,
      settled_amount = new.settled_amount,
      settled_confirmations = new.settled_confirmations
    from unnest(
      ${arrayText(rows.map(({ id }) => id))}::uuid[],
      ${arrayText(rows.map(({ booked }) => booked))}::numeric[],
      ${arrayText(rows.map(({ amount }) => amount))}::numeric[],
      ${arrayText(rows.map(({ confirmations }) => confirmations))}::integer[]
    ) as new (id, booked, settled_amount, settled_confirmations)
    where receipts.id = new.id
      and (receipts.booked, receipts.settled_amount, receipts.settled_confirmations)
        is distinct from (new.booked, new.settled_amount, new.settled_confirmations)`.execute(
    transaction,
  )
}

/** Few purchases have grants: one that has and had none costs nothing. */
async function replaceGrants(
  transaction: DatabaseTransaction,
  settled: readonly SettledPurchase[],
): Promise<void> {
  const granted = settled.filter(({ facts }) => facts.grants.length > 0).map(idOf)
  if (granted.length > 0) {
    await transaction.deleteFrom('grants').where('purchase_id', 'in', granted).execute()
  }
  const rows = settled.flatMap(({ purchase, outcome }) =>
    outcome.grants.map(({ receiptId, stageId, tokens, isShort }) => ({
      receipt_id: receiptId,
      purchase_id: purchase.id,
      stage_id: stageId,
      tokens,
      is_short: isShort,
    })),
  )
  for (const part of chunk(rows)) await transaction.insertInto('grants').values(part).execute()
}

/**
 * A refund that is already listed keeps the instant of its listing. Few purchases have refunds: one
 * that has and had none costs nothing.
 */
async function replaceRefunds(
  transaction: DatabaseTransaction,
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
  const owed = settled.filter(({ booked }) => booked.refunds.length > 0).map(idOf)
  if (owed.length > 0) {
    await transaction
      .deleteFrom('refunds_due')
      .where('purchase_id', 'in', owed)
      .where('receipt_id', '<>', sql<string>`all (${listed}::uuid[])`)
      .execute()
  }
  for (const part of chunk(rows)) {
    await transaction
      .insertInto('refunds_due')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('receipt_id').doUpdateSet((excluded) => ({
          amount: excluded.ref('excluded.amount'),
          why: excluded.ref('excluded.why'),
        })),
      )
      .execute()
  }
}

const idOf = ({ purchase }: SettledPurchase) => purchase.id

/** Adds to the histories of purchases. Returns the id of each entry, in the order of `changed`. */
export async function recordStatuses(
  transaction: DatabaseTransaction,
  changed: readonly SettledPurchase[],
  at: Date,
): Promise<ReadonlyMap<string, bigint>> {
  if (changed.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; purchase_id: string }>`
    insert into purchase_status_history (purchase_id, status, status_reason, at)
    select purchase_id, status, status_reason, ${at}::timestamptz
    from unnest(
      ${arrayText(changed.map(({ purchase }) => purchase.id))}::uuid[],
      ${arrayText(changed.map(({ outcome }) => outcome.status))}::text[],
      ${arrayText(changed.map(({ outcome }) => outcome.reason))}::text[]
    ) with ordinality as entry (purchase_id, status, status_reason, place)
    order by place
    returning id, purchase_id`.execute(transaction)
  return new Map(rows.map(({ id, purchase_id }) => [purchase_id, id]))
}

/**
 * A row as JSON that `jsonb_populate_record` reads into its columns. JSON has no integers of this
 * size and no bytes, so both are texts in it.
 */
function jsonRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  // Every purchase goes through here: `Object.entries` takes four times as long.
  for (const column in row) stored[column] = jsonValue(row[column])
  return stored
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return value
}
