import { findRow } from '#server/database/tables/rows.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type TwoFactorRow = Row<'two_factors'>

/** The authenticator app of a user or an operator, confirmed or not; null if there is none. */
export async function findTwoFactor(database: Database, accountId: string) {
  return await findRow(database, 'two_factors', { account_id: accountId })
}

/**
 * The same, locked until the transaction ends. Using and replacing codes both take this lock first,
 * so that they cannot deadlock.
 */
export async function lockTwoFactor(transaction: DatabaseTransaction, accountId: string) {
  return await findRow(transaction, 'two_factors', { account_id: accountId }, 'for update')
}

/** Replaces a secret that was not confirmed; false if one is. */
export async function putUnconfirmedTwoFactor(
  database: Database,
  accountId: string,
  sealedSecret: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await database
    .insertInto('two_factors')
    .values({
      account_id: accountId,
      sealed_secret: sealedSecret,
      created_at: now,
      confirmed_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: now })
        .where('two_factors.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Turns two-factor login on, with the step of the code that proved the app. False if it was
 * confirmed, or its secret replaced, in the meantime.
 */
export async function confirmTwoFactorRow(
  transaction: DatabaseTransaction,
  proved: Pick<TwoFactorRow, 'account_id' | 'sealed_secret'>,
  step: bigint,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('two_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', proved.account_id)
    .where('sealed_secret', '=', proved.sealed_secret)
    .where('confirmed_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a time step and all before it; false if that was already done. */
export async function takeStep(
  transaction: DatabaseTransaction,
  accountId: string,
  step: bigint,
): Promise<boolean> {
  const row = await transaction
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteTwoFactor(
  transaction: DatabaseTransaction,
  accountId: string,
): Promise<void> {
  await deleteAuthenticator(transaction, accountId)
  await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

/** Ends the app alone; false if none was on. */
export async function deleteAuthenticator(
  transaction: DatabaseTransaction,
  accountId: string,
): Promise<boolean> {
  const row = await transaction
    .deleteFrom('two_factors')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined && row.confirmed_at !== null
}

/** Voids all recovery codes, used or not, and stores these instead. */
export async function replaceRecoveryCodes(
  transaction: DatabaseTransaction,
  accountId: string,
  codeHashes: readonly Uint8Array[],
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await transaction
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ account_id: accountId, code_hash, used_at: null })))
    .execute()
}

/** Uses a recovery code up; false if there is no such code, or it was used before. */
export async function takeRecoveryCode(
  transaction: DatabaseTransaction,
  accountId: string,
  codeHash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(database: Database, accountId: string): Promise<number> {
  const row = await database
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
