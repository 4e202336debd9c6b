import { sql } from 'kysely'

import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type ActionRow = Row<'operator_actions'>

/** An act to be written; its `details` contain only text that the database accepts. */
export type NewAction = ActionRow

/** Records an act. Call it in the transaction of that act, with the head locked. */
export async function insertAction(
  transaction: DatabaseTransaction,
  { details, ...action }: NewAction,
): Promise<void> {
  await transaction
    .insertInto('operator_actions')
    .values({ ...action, details: JSON.stringify(details) })
    .execute()
}

export type ActionFilter = {
  /** The id of a person or a key. */
  operatorId?: string | undefined
  /** A name, in upper or lower case. */
  name?: string | undefined
  /** The name of a call. */
  act?: string | undefined
  purchaseId?: string | undefined
  /** From this instant on, inclusive. */
  from?: Date | undefined
  /** Up to this instant, exclusive. */
  to?: Date | undefined
}

/** Newest first, from an id on, inclusive. */
export async function listActionRows(
  database: Database,
  filter: ActionFilter,
  startId: bigint | null,
  countMax: number,
): Promise<ActionRow[]> {
  const { operatorId, name, act, purchaseId, from, to } = filter
  let query = database
    .selectFrom('operator_actions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(countMax)
  if (startId !== null) query = query.where('id', '<=', startId)
  if (operatorId !== undefined) query = query.where('operator_id', '=', operatorId)
  if (name !== undefined) query = query.where(sql`lower(operator)`, '=', name.toLowerCase())
  if (act !== undefined) query = query.where('act', '=', act)
  if (purchaseId !== undefined) query = query.where('purchase_id', '=', purchaseId)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  return await query.execute()
}

/** What was done about one purchase or one user, oldest first. */
export async function listActionsAbout(
  database: Database,
  about: 'purchase_id' | 'user_id',
  id: string,
): Promise<ActionRow[]> {
  return await database
    .selectFrom('operator_actions')
    .selectAll()
    .where(about, '=', id)
    .orderBy('id')
    .execute()
}

/** A row as it is stored, with its instant to the microsecond. */
export type StoredAction = Omit<ActionRow, 'at'> & { atMicros: bigint }

/** The rows with the next `count` numbers; more than `count` only if numbers occur twice. */
export async function readActionsAfter(
  database: Database,
  afterId: bigint,
  count: number,
): Promise<StoredAction[]> {
  return await database
    .selectFrom('operator_actions')
    .select(['id', 'kind', 'operator_id', 'operator', 'address', 'act', 'purchase_id', 'user_id'])
    .select(['details', 'hash'])
    .select(sql<bigint>`(extract(epoch from at) * 1000000)::bigint`.as('atMicros'))
    // The first page also includes rows without a valid number.
    .where((where) => (afterId === 0n ? where.val(true) : where('id', '>', afterId)))
    .where('id', '<=', afterId + BigInt(count))
    .orderBy('id')
    .limit(count + 1)
    .execute()
}
