import { sql } from 'kysely'

import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type KeyRow = Omit<Row<'api_keys'>, 'key_hash' | 'created_by'> & {
  /** Null if it was made with the server's token. */
  made_by: string | null
  /** When its maker was removed, which ended the key. */
  maker_removed_at: Date | null
}

/** Every key there ever was, those that end last first. */
export async function listKeyRows(database: Database): Promise<KeyRow[]> {
  return await selectKeys(database).orderBy('key.created_at', 'desc').orderBy('key.id').execute()
}

export async function findKeyRow(database: Database, id: string): Promise<KeyRow | null> {
  return (await selectKeys(database).where('key.id', '=', id).executeTakeFirst()) ?? null
}

function selectKeys(database: Database) {
  return database
    .selectFrom('api_keys as key')
    .leftJoin('operators as maker', 'maker.id', 'key.created_by')
    .select([
      'key.id',
      'key.name',
      'prefix',
      'permissions',
      'key.created_at',
      'expires_at',
      'last_used_at',
      'ended_at',
      'maker.name as made_by',
      'maker.removed_at as maker_removed_at',
    ])
}

/** One after the other, so that what is counted among the keys is right. */
export async function lockKeys(transaction: DatabaseTransaction): Promise<void> {
  await sql`lock table api_keys in share row exclusive mode`.execute(transaction)
}

export type NewKey = Omit<Row<'api_keys'>, 'last_used_at' | 'ended_at'>

export async function insertKey(transaction: DatabaseTransaction, key: NewKey): Promise<void> {
  await transaction
    .insertInto('api_keys')
    .values({ ...key, last_used_at: null })
    .execute()
}

/** Ends every key that somebody made, and returns how many. */
export async function endKeysOf(
  transaction: DatabaseTransaction,
  makerId: string,
  now: Date,
): Promise<bigint> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ ended_at: now })
    .where('created_by', '=', makerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows
}

/** False if there is none, or it has ended already. */
export async function endKey(
  transaction: DatabaseTransaction,
  id: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
