import { type Selectable, sql } from 'kysely'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { LedgerTransfersTable, SaleTables } from '#server/database/tables/sale-tables.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { readPurchase } from './purchase.ts'

export type PurchaseSearch = {
  status: PurchaseStatus | null
  /** In its normalised form. */
  email: string | null
  id: string | null
  address: string | null
}

/** A purchase with whose it is. */
export type FoundPurchase = Purchase & { email: string }

/** Purchases of anybody, newest first, from one on, inclusive. */
export async function searchPurchases(
  database: Database,
  search: PurchaseSearch,
  start: { createdAt: Date; id: string } | null,
  countMax: number,
): Promise<FoundPurchase[]> {
  let query = database
    .selectFrom('purchases')
    .innerJoin('users', 'users.id', 'purchases.user_id')
    .selectAll('purchases')
    .select('users.email')
    .orderBy('purchases.created_at', 'desc')
    .orderBy('purchases.id', 'desc')
    .limit(countMax)
  if (search.status !== null) query = query.where('purchases.status', '=', search.status)
  if (search.email !== null) query = query.where('users.email', '=', search.email)
  if (search.id !== null) query = query.where('purchases.id', '=', search.id)
  if (search.address !== null) {
    // Chains differ in whether an address has one spelling; what is typed may be any of them.
    query = query.where(sql`lower(purchases.address)`, '=', search.address.toLowerCase())
  }
  if (start !== null) {
    query = query.where(
      sql<boolean>`(purchases.created_at, purchases.id) <=
        (${start.createdAt}, ${start.id}::uuid)`,
    )
  }
  const rows = await query.execute()
  return rows.map((row) => ({ ...readPurchase(row), email: row.email }))
}

export type StatusRow = Selectable<SaleTables['purchase_status_history']>
export type TransferRow = Selectable<LedgerTransfersTable>

/** Every status that a purchase had, oldest first. */
export async function listStatusesOf(database: Database, purchaseId: string): Promise<StatusRow[]> {
  return await database
    .selectFrom('purchase_status_history')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}

/** Every transfer of the ledger that a purchase caused, oldest first. */
export async function listTransfersOf(
  database: Database,
  purchaseId: string,
): Promise<TransferRow[]> {
  return await database
    .selectFrom('ledger_transfers')
    .selectAll()
    .where('cause_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}
