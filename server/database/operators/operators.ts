import { sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type OperatorRow = Row<'operators'>

/** An operator who was not removed. */
export async function findOperatorById(database: Database, id: string) {
  return await findRow(database, 'operators', { id, removed_at: null })
}

/** The same by the address, as `normalizeEmail` writes it. */
export async function findOperatorByEmail(
  database: Database,
  email: string,
): Promise<OperatorRow | null> {
  const row = await database
    .selectFrom('operators')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/**
 * The same, locked until the transaction ends, so that decisions about a person's factors, password
 * or role are made one after the other.
 */
export async function lockOperator(transaction: DatabaseTransaction, id: string) {
  return await findRow(transaction, 'operators', { id, removed_at: null }, 'for update')
}

/**
 * Waits for every other change of roles, as the table's trigger does, so that the owners counted
 * then are those who stay.
 */
export async function lockRoles(transaction: DatabaseTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('operators'))`.execute(transaction)
}

export async function listOwners(database: Database): Promise<Pick<OperatorRow, 'id' | 'email'>[]> {
  return await database
    .selectFrom('operators')
    .select(['id', 'email'])
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .execute()
}

export async function countOwners(database: Database): Promise<number> {
  const row = await database
    .selectFrom('operators')
    .select((select) => select.fn.countAll().as('count'))
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Makes somebody an operator; false if the address already has one. */
export async function insertOperator(
  transaction: DatabaseTransaction,
  operator: Omit<OperatorRow, 'removed_at'>,
): Promise<boolean> {
  const row = await transaction
    .insertInto('operators')
    .values({ ...operator, removed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateOperator(
  transaction: DatabaseTransaction,
  id: string,
  change: Partial<Pick<OperatorRow, 'name' | 'role' | 'password_hash' | 'removed_at'>>,
): Promise<void> {
  await transaction.updateTable('operators').set(change).where('id', '=', id).execute()
}

export type ListedOperator = {
  id: string
  email: string
  name: string
  role: Role
  createdAt: Date
  passkeys: number
  hasAuthenticator: boolean
  lastSeenAt: Date | null
}

/** Everybody who was not removed, by name. */
export async function listOperators(database: Database): Promise<ListedOperator[]> {
  const rows = await database
    .selectFrom('operators as operator')
    .select((select) => [
      'operator.id',
      'email',
      'name',
      'role',
      'operator.created_at as createdAt',
      select
        .selectFrom('operator_passkeys')
        .select((each) => each.fn.countAll().as('count'))
        .whereRef('operator_id', '=', 'operator.id')
        .as('passkeys'),
      select
        .selectFrom('two_factors')
        .select('confirmed_at')
        .whereRef('account_id', '=', 'operator.id')
        .as('appSince'),
      select
        .selectFrom('operator_sessions')
        .select((each) => each.fn.max('last_used_at').as('at'))
        .whereRef('operator_id', '=', 'operator.id')
        .as('lastSeenAt'),
    ])
    .where('removed_at', 'is', null)
    .orderBy('name')
    .orderBy('operator.id')
    .execute()
  return rows.map(({ appSince, ...row }) => ({
    ...row,
    passkeys: Number(row.passkeys),
    hasAuthenticator: appSince !== null,
  }))
}
