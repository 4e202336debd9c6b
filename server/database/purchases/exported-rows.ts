import { sql } from 'kysely'

import { type PurchaseStatus, purchaseStatuses } from '#domain/settlement/outcome.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database, Row } from '#server/database/tables/tables.ts'
import { readPurchase } from './purchase.ts'
import type { FoundPurchase } from './purchase-records.ts'

/** How many rows are read, and held, at a time: so few that V8 takes them for short-lived. */
const EXPORT_BATCH = 200

/** From `from`, inclusive, until `until`, exclusive; null means no bound. */
export type ExportSpan = { from: Date | null; until: Date | null }

/** With since when it has its status and the reason for that. */
export type ExportedPurchase = FoundPurchase & { statusAt: Date }

/** Purchases made in a span of time: by status, and for each status oldest first. */
export function readExportedPurchases(
  database: Database,
  span: ExportSpan,
): AsyncGenerator<ExportedPurchase[]> {
  return readSnapshot(database, async function* (snapshot) {
    for (const status of purchaseStatuses) yield* readPurchasesOf(snapshot, status, span)
  })
}

const lastStatusAt = sql<Date>`(
  select history.at from purchase_status_history as history
  where history.purchase_id = purchases.id
  order by history.id desc limit 1
)`

async function* readPurchasesOf(
  snapshot: Database,
  status: PurchaseStatus,
  { from, until }: ExportSpan,
): AsyncGenerator<ExportedPurchase[]> {
  for (let after: { place: string; id: string } | null = null; ;) {
    let query = snapshot
      .selectFrom('purchases')
      .innerJoin('users', 'users.id', 'purchases.user_id')
      .selectAll('purchases')
      // Rows written by hand may have microseconds, which a `Date` lacks.
      .select(['users.email', sql<string>`purchases.created_at::text`.as('place')])
      .select(lastStatusAt.as('status_at'))
      .where('purchases.status', '=', sql.lit(status))
      .orderBy('purchases.created_at')
      .orderBy('purchases.id')
      .limit(EXPORT_BATCH)
    if (from !== null) query = query.where('purchases.created_at', '>=', from)
    if (until !== null) query = query.where('purchases.created_at', '<', until)
    if (after !== null) {
      query = query.where(
        sql<boolean>`(purchases.created_at, purchases.id) > (${after.place}::timestamptz, ${after.id}::uuid)`,
      )
    }
    const rows = await query.execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => ({
      ...readPurchase(row),
      email: row.email,
      statusAt: row.status_at,
    }))
    after = last
  }
}

export type ExportedReceipt = Row<'receipts'>

export function readExportedReceipts(database: Database): AsyncGenerator<ExportedReceipt[]> {
  return readSnapshot(database, (snapshot) => {
    const all = snapshot.selectFrom('receipts').selectAll().orderBy('id').limit(EXPORT_BATCH)
    return readInBatches(
      (after: string | null) => (after === null ? all : all.where('id', '>', after)).execute(),
      ({ id }) => id,
    )
  })
}

export type ExportedTransfer = Row<'ledger_transfers'>

/** Every transfer of the ledger, in the order in which they were written. */
export function readExportedLedger(database: Database): AsyncGenerator<ExportedTransfer[]> {
  return readSnapshot(database, (snapshot) => {
    const all = snapshot.selectFrom('ledger_transfers').selectAll()
    const batch = all.orderBy('id').limit(EXPORT_BATCH)
    return readInBatches(
      (after: bigint | null) => (after === null ? batch : batch.where('id', '>', after)).execute(),
      ({ id }) => id,
    )
  })
}
