import type { Selectable } from 'kysely'

import type { LedgerTransfersTable, SaleTables } from '#server/database/tables/sale-tables.ts'
import type { Database } from '#server/database/tables/tables.ts'

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
