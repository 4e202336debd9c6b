import type { Selectable } from 'kysely'

import type { OperatorActionsTable } from '#server/database/tables/sale-tables.ts'
import type { Database } from '#server/database/tables/tables.ts'

export type ActionRow = Selectable<OperatorActionsTable>

export type NewAction = {
  at: Date
  /** As stated by the caller, unproved. */
  operator: string | null
  address: string
  /** The name of the call. */
  act: string
  purchaseId?: string
  userId?: string
  /** No e-mail addresses and no names of buyers: this outlives an erasure. */
  details: Record<string, string>
}

/** Records an act. Call it in the transaction of that act. */
export async function insertAction(database: Database, action: NewAction): Promise<void> {
  await database
    .insertInto('operator_actions')
    .values({
      at: action.at,
      operator: action.operator,
      address: action.address,
      act: action.act,
      purchase_id: action.purchaseId ?? null,
      user_id: action.userId ?? null,
      // The database refuses half a character in JSON, which anybody can send.
      details: JSON.stringify(action.details, (_, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed() : value,
      ),
    })
    .execute()
}

/** Newest first, from an id on, inclusive. */
export async function listActionRows(
  database: Database,
  startId: bigint | null,
  countMax: number,
): Promise<ActionRow[]> {
  let query = database
    .selectFrom('operator_actions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(countMax)
  if (startId !== null) query = query.where('id', '<=', startId)
  return await query.execute()
}

/** What was done about one purchase, oldest first. */
export async function listActionsOfPurchase(
  database: Database,
  purchaseId: string,
): Promise<ActionRow[]> {
  return await database
    .selectFrom('operator_actions')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}
