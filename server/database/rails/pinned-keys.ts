import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { KeyIdentity } from '#server/ports/address-book.ts'

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
  key: KeyIdentity,
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

/** `unidentified` where a copy could not be told from what it is a copy of. */
type Admission = 'admitted' | 'unidentified' | 'copy'

/**
 * Notes in which database a key gives out addresses. Admits no copy of that database, such as a
 * restored backup, which does not know those given out since, unless they are skipped: then
 * `onCopy` changes what must not go on in a copy, in the same transaction.
 */
export async function admitInDatabase(
  database: Database,
  { name, fingerprint }: KeyIdentity,
  isSkipped: boolean,
  onCopy: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<Admission> {
  const here = await identifyDatabase(database)
  return await database.transaction().execute(async (transaction) => {
    const { database: before } = await transaction
      .selectFrom('pinned_keys')
      .select('database')
      .where('name', '=', name)
      .where('fingerprint', '=', fingerprint)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // What was in a database that could be asked is not in one that cannot.
    const isCopy = before !== null && before !== here
    if (isCopy && !isSkipped) return 'copy'
    await transaction
      .updateTable('pinned_keys')
      .set({ database: here })
      .where('name', '=', name)
      .where('fingerprint', '=', fingerprint)
      .execute()
    if (isCopy) await onCopy(transaction)
    return here === null ? 'unidentified' : 'admitted'
  })
}

/**
 * Insufficient privilege, and no such function. Hosts that store data in their own way, such as
 * Aurora, say that they do not support a function, or not in this state.
 */
const HIDDEN_STATES = new Set<unknown>(['42501', '42883', '0A000', '55000'])

/**
 * The same for as long as a database lives, and another one once a backup is restored over it; null
 * where its host keeps that to itself.
 */
async function identifyDatabase(database: Database): Promise<string | null> {
  try {
    const { rows } = await sql<{ id: string }>`
      select concat_ws('/', system_identifier, pg_database.oid, 'pinned_keys'::regclass::oid) as id
      from pg_control_system(), pg_database
      where datname = current_database()`.execute(database)
    return rows[0]?.id ?? null
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && HIDDEN_STATES.has(fault.code)) return null
    throw fault
  }
}
