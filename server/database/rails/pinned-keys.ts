import { sql } from 'kysely'
import type { Database } from '#server/database/tables/tables.ts'

type PinOutcome =
  | { outcome: 'pinned' | 'known' | 'replaced' }
  /** Another key is pinned under that name, and replacing it was not accepted. */
  | { outcome: 'refused'; pinnedFingerprint: string }

/**
 * Pins a key under its name at the first start, and compares it at every later one. If
 * `isAccepted`, it replaces the pinned key.
 */
export async function pinKey(
  database: Database,
  key: { name: string; fingerprint: string },
  isAccepted: boolean,
  now: Date,
): Promise<PinOutcome> {
  const { name, fingerprint } = key
  return await database.transaction().execute(async (transaction) => {
    const first = await transaction
      .insertInto('pinned_keys')
      .values({ name, fingerprint, is_current: true, pinned_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()
    if (first !== undefined) return { outcome: 'pinned' }

    const pinned = await transaction
      .selectFrom('pinned_keys')
      .select('fingerprint')
      .where('name', '=', name)
      .where('is_current', '=', true)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (pinned.fingerprint === fingerprint) return { outcome: 'known' }
    if (!isAccepted) return { outcome: 'refused', pinnedFingerprint: pinned.fingerprint }

    await transaction
      .updateTable('pinned_keys')
      .set({ is_current: false })
      .where('name', '=', name)
      .execute()
    await transaction
      .insertInto('pinned_keys')
      .values({ name, fingerprint, is_current: true, pinned_at: now })
      .onConflict((conflict) =>
        conflict.columns(['name', 'fingerprint']).doUpdateSet({ is_current: true }),
      )
      .execute()
    return { outcome: 'replaced' }
  })
}

/**
 * Admits a key in this database, once everything below `indexMin` is skipped: null. A copy of the
 * database that last gave out addresses of the key, such as a restored backup, does not know those
 * given out since. Unless `indexMin` says how far they may reach, it is refused: then the lowest
 * index that the copy never used is returned.
 */
export async function admitInDatabase(
  database: Database,
  { name, fingerprint }: { name: string; fingerprint: string },
  indexMin: number,
): Promise<bigint | null> {
  const here = await identifyDatabase(database)
  if (here === null) return null
  const admitted = await database
    .updateTable('pinned_keys')
    .set({ database: here })
    .where('name', '=', name)
    .where('fingerprint', '=', fingerprint)
    .where((where) =>
      where.or([
        where('database', 'is', null),
        where('database', '=', here),
        ...(indexMin > 0 ? [where('next_index', '<=', BigInt(indexMin))] : []),
      ]),
    )
    .returning('name')
    .executeTakeFirst()
  if (admitted !== undefined) return null
  const { next_index: nextIndex } = await database
    .selectFrom('pinned_keys')
    .select('next_index')
    .where('name', '=', name)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirstOrThrow()
  return nextIndex
}

/** The same for as long as a database lives; null where its host keeps that to itself. */
async function identifyDatabase(database: Database): Promise<string | null> {
  try {
    const { rows } = await sql<{ id: string }>`
      select system_identifier || '/' || (
        select oid from pg_database where datname = current_database()
      ) as id
      from pg_control_system()`.execute(database)
    return rows[0]?.id ?? null
  } catch {
    return null
  }
}
