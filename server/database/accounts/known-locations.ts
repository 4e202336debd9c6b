import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type LoginLocation = { placeHash: Uint8Array; networkHash: Uint8Array }

/** True where the user has logged in from this network since `since`. */
export async function isKnownNetwork(
  database: Database,
  userId: string,
  networkHash: Uint8Array,
  since: Date,
): Promise<boolean> {
  const row = await database
    .selectFrom('login_places')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('network_hash', '=', networkHash)
    .where('last_used_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Remembers where a user has just logged in, and of all places the `keptMax` that were used last.
 * `isNew` is true where the user has logged in before, but not from there.
 */
export async function rememberLocation(
  transaction: DatabaseTransaction,
  userId: string,
  { placeHash, networkHash }: LoginLocation,
  now: Date,
  keptMax: number,
): Promise<{ isNew: boolean }> {
  const others = await transaction
    .selectFrom('login_places')
    .select(['place_hash'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .execute()
  const inserted = await transaction
    .insertInto('login_places')
    .values({
      user_id: userId,
      place_hash: placeHash,
      network_hash: networkHash,
      first_used_at: now,
      last_used_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (inserted === undefined) {
    await transaction
      .updateTable('login_places')
      .set({ last_used_at: now })
      .where('user_id', '=', userId)
      .where('place_hash', '=', placeHash)
      .execute()
    return { isNew: false }
  }
  const forgotten = others.slice(keptMax - 1).map(({ place_hash }) => place_hash)
  if (forgotten.length > 0) {
    await transaction
      .deleteFrom('login_places')
      .where('user_id', '=', userId)
      .where('place_hash', 'in', forgotten)
      .execute()
  }
  return { isNew: others.length > 0 }
}
