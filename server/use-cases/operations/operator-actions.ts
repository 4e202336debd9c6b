import {
  type ActionRow,
  insertAction,
  listActionRows,
  type NewAction,
} from '#server/database/books/operator-actions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** All operators share one token, so that the name is unproved. */
export type Operator = { name: string | null; address: string }

/** Keeps what an operator does. Call it in the transaction that does it. */
export async function recordAction(
  { clock }: Pick<Services, 'clock'>,
  transaction: DatabaseTransaction,
  operator: Operator,
  action: Pick<NewAction, 'act' | 'purchaseId' | 'userId' | 'details'>,
): Promise<void> {
  const { name, address } = operator
  await insertAction(transaction, { ...action, at: clock.now(), operator: name, address })
}

/** `after` is the id of the first of the next page; null where this is the last one. */
export type ActionPage = { items: readonly ActionRow[]; after: bigint | null }

/** What operators did, newest first. */
export async function listActions(
  { database }: Services,
  input: { after: bigint | null; limit: number },
): Promise<ActionPage> {
  const rows = await listActionRows(database, input.after, input.limit + 1)
  return { items: rows.slice(0, input.limit), after: rows[input.limit]?.id ?? null }
}
