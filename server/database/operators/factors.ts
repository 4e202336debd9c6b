import type { Selectable } from 'kysely'

import type { OperatorTables } from '#server/database/tables/operator-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type AuthenticatorRow = Selectable<OperatorTables['operator_authenticators']>

/** An operator's authenticator app, confirmed or not. */
export async function findAuthenticator(
  database: Database,
  operatorId: string,
): Promise<AuthenticatorRow | null> {
  const row = await database
    .selectFrom('operator_authenticators')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps a secret that a code still has to prove; false if an app is on. */
export async function putUnconfirmedAuthenticator(
  transaction: DatabaseTransaction,
  operatorId: string,
  sealedSecret: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .insertInto('operator_authenticators')
    .values({
      operator_id: operatorId,
      sealed_secret: sealedSecret,
      created_at: now,
      confirmed_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('operator_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: now })
        .where('operator_authenticators.confirmed_at', 'is', null),
    )
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Turns an app on; false if its secret was replaced or confirmed meanwhile. */
export async function confirmAuthenticator(
  transaction: DatabaseTransaction,
  proved: Pick<AuthenticatorRow, 'operator_id' | 'sealed_secret'>,
  step: bigint,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('operator_authenticators')
    .set({ confirmed_at: now, last_step: step })
    .where('operator_id', '=', proved.operator_id)
    .where('sealed_secret', '=', proved.sealed_secret)
    .where('confirmed_at', 'is', null)
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a time step and all before it; false if that was already done. */
export async function takeAuthenticatorStep(
  transaction: DatabaseTransaction,
  operatorId: string,
  step: bigint,
): Promise<boolean> {
  const row = await transaction
    .updateTable('operator_authenticators')
    .set({ last_step: step })
    .where('operator_id', '=', operatorId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Turns the app off; false if none was on. */
export async function deleteAuthenticator(
  transaction: DatabaseTransaction,
  operatorId: string,
): Promise<boolean> {
  const row = await transaction
    .deleteFrom('operator_authenticators')
    .where('operator_id', '=', operatorId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined && row.confirmed_at !== null
}

/** Replaces all recovery codes, used or not. */
export async function replaceOperatorCodes(
  transaction: DatabaseTransaction,
  operatorId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await transaction
    .deleteFrom('operator_recovery_codes')
    .where('operator_id', '=', operatorId)
    .execute()
  await transaction
    .insertInto('operator_recovery_codes')
    .values(hashes.map((code_hash) => ({ operator_id: operatorId, code_hash, used_at: null })))
    .execute()
}

/** Uses a recovery code up; false if there is no such code, or it was used before. */
export async function takeOperatorCode(
  transaction: DatabaseTransaction,
  operatorId: string,
  hash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('operator_recovery_codes')
    .set({ used_at: now })
    .where('operator_id', '=', operatorId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function countOperatorCodes(database: Database, operatorId: string): Promise<number> {
  const row = await database
    .selectFrom('operator_recovery_codes')
    .select((select) => select.fn.countAll().as('count'))
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * How many ways to prove themselves an operator has besides the password; recovery codes do not
 * count.
 */
export async function countFactors(database: Database, operatorId: string): Promise<number> {
  const row = await database
    .selectNoFrom((select) => [
      select
        .selectFrom('operator_passkeys')
        .select((each) => each.fn.countAll().as('count'))
        .where('operator_id', '=', operatorId)
        .as('passkeys'),
      select
        .selectFrom('operator_authenticators')
        .select((each) => each.fn.countAll().as('count'))
        .where('operator_id', '=', operatorId)
        .where('confirmed_at', 'is not', null)
        .as('apps'),
    ])
    .executeTakeFirstOrThrow()
  return Number(row.passkeys) + Number(row.apps)
}

/** Ends every factor of an operator, and the recovery codes. */
export async function deleteFactors(
  transaction: DatabaseTransaction,
  operatorId: string,
): Promise<void> {
  for (const table of [
    'operator_passkeys',
    'operator_authenticators',
    'operator_recovery_codes',
  ] as const) {
    await transaction.deleteFrom(table).where('operator_id', '=', operatorId).execute()
  }
}
