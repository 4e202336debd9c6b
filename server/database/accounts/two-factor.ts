import type { Selectable } from 'kysely'

import type { AccountTables } from '#server/database/tables/account-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type TwoFactorRow = Selectable<AccountTables['two_factors']>

/** A user's authenticator app, confirmed or not; null if there is none. */
export async function findTwoFactor(
  database: Database,
  userId: string,
): Promise<TwoFactorRow | null> {
  const row = await database
    .selectFrom('two_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * The same, locked until the transaction ends. Using and replacing codes both take this lock first,
 * so that they cannot deadlock.
 */
export async function lockTwoFactor(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<TwoFactorRow | null> {
  const row = await transaction
    .selectFrom('two_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Replaces a secret that was not confirmed; false if one is. */
export async function putUnconfirmedTwoFactor(
  database: Database,
  userId: string,
  sealedSecret: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await database
    .insertInto('two_factors')
    .values({ user_id: userId, sealed_secret: sealedSecret, created_at: now, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: now })
        .where('two_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Turns two-factor login on, with the step of the code that proved the app. False if it was
 * confirmed, or its secret replaced, in the meantime.
 */
export async function confirmTwoFactorRow(
  transaction: DatabaseTransaction,
  proved: TwoFactorRow,
  step: bigint,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('two_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', proved.user_id)
    .where('sealed_secret', '=', proved.sealed_secret)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a time step and all before it; false if that was already done. */
export async function takeStep(
  transaction: DatabaseTransaction,
  userId: string,
  step: bigint,
): Promise<boolean> {
  const row = await transaction
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Turns two-factor login off; its recovery codes go with it. */
export async function deleteTwoFactor(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('two_factors').where('user_id', '=', userId).execute()
}

export async function insertRecoveryCodes(
  transaction: DatabaseTransaction,
  userId: string,
  codeHashes: readonly Uint8Array[],
): Promise<void> {
  await transaction
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash, used_at: null })))
    .execute()
}

/** Voids all recovery codes of the user, and stores these instead. */
export async function replaceRecoveryCodes(
  transaction: DatabaseTransaction,
  userId: string,
  codeHashes: readonly Uint8Array[],
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await insertRecoveryCodes(transaction, userId, codeHashes)
}

/** Uses a recovery code up; false if there is no such code, or it was used before. */
export async function takeRecoveryCode(
  transaction: DatabaseTransaction,
  userId: string,
  codeHash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** How many recovery codes of a user are left. */
export async function countRecoveryCodes(database: Database, userId: string): Promise<number> {
  const row = await database
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
