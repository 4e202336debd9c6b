import { sql } from 'kysely'

import type { ChallengePurpose } from '#server/database/tables/operator-tables.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'
import type { StoredPasskey } from '#server/ports/security.ts'

export type PasskeyRow = Row<'operator_passkeys'>

export type NewChallenge = {
  hash: Uint8Array
  purpose: ChallengePurpose
  boundTo: string | null
  expiresAt: Date
}

export async function insertChallenge(database: Database, challenge: NewChallenge): Promise<void> {
  await database
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challenge.hash,
      purpose: challenge.purpose,
      bound_to: challenge.boundTo,
      expires_at: challenge.expiresAt,
    })
    .execute()
}

/** Uses a challenge up; false if it was used, has expired, or was made for something else. */
export async function takeChallenge(
  database: Database,
  { hash, purpose, boundTo }: Omit<NewChallenge, 'expiresAt'>,
  now: Date,
): Promise<boolean> {
  const row = await database
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('bound_to', boundTo === null ? 'is' : '=', boundTo)
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst()
  return row !== undefined
}

/** False if somebody has this passkey. */
export async function insertPasskey(
  transaction: DatabaseTransaction,
  { credentialId, publicKey, counter, transports, isBackedUp }: StoredPasskey,
  owned: Pick<PasskeyRow, 'id' | 'operator_id' | 'name' | 'created_at'>,
): Promise<boolean> {
  const row = await transaction
    .insertInto('operator_passkeys')
    .values({
      ...owned,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports: [...transports],
      is_backed_up: isBackedUp,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The passkey, with the id given by its authenticator, of an operator who was not removed. */
export async function findPasskey(
  database: Database,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const row = await database
    .selectFrom('operator_passkeys')
    .innerJoin('operators', 'operators.id', 'operator_passkeys.operator_id')
    .selectAll('operator_passkeys')
    .where('credential_id', '=', credentialId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export async function listPasskeys(database: Database, operatorId: string): Promise<PasskeyRow[]> {
  return await database
    .selectFrom('operator_passkeys')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .execute()
}

/**
 * Notes that a passkey was used. False if its counter does not grow although it is not 0: then a
 * copy uses the same key (WebAuthn, section 6.1.1).
 */
export async function usePasskey(
  transaction: DatabaseTransaction,
  id: string,
  used: { counter: bigint; isBackedUp: boolean; at: Date },
): Promise<boolean> {
  const row = await transaction
    .updateTable('operator_passkeys')
    .set({ counter: used.counter, is_backed_up: used.isBackedUp, last_used_at: used.at })
    .where('id', '=', id)
    .where(
      sql<boolean>`(counter < ${used.counter} or (counter = 0 and ${used.counter}::bigint = 0))`,
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The name of the removed passkey; null if there was none. */
export async function deletePasskey(
  transaction: DatabaseTransaction,
  { id, operatorId }: { id: string; operatorId: string },
): Promise<string | null> {
  const row = await transaction
    .deleteFrom('operator_passkeys')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}
