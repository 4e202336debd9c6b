import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '#server/database/tables/tables.ts'
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

/**
 * Whether the database is a copy of the one in which these keys gave out addresses, such as a
 * restored backup: then it does not know those given out since.
 */
export async function isCopy(database: Database, keys: readonly KeyIdentity[]): Promise<boolean> {
  return await isCopyAt(database, keys, await identifyDatabase(database))
}

/**
 * Notes that keys give out addresses in this database. If it is a copy, `onCopy` changes what must
 * not go on in one, in the same transaction. True where a copy could be told from what it is a copy
 * of.
 */
export async function admitInDatabase(
  database: Database,
  keys: readonly KeyIdentity[],
  onCopy: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<boolean> {
  const here = await identifyDatabase(database)
  await database.transaction().execute(async (transaction) => {
    // Of two instances that start at once, one finds a copy.
    await transaction
      .selectFrom('pinned_keys')
      .select('name')
      .where(isOneOf(keys))
      .orderBy('name')
      .forUpdate()
      .execute()
    const isCopied = await isCopyAt(transaction, keys, here)
    await transaction
      .updateTable('pinned_keys')
      .set({ database: here })
      .where(isOneOf(keys))
      .execute()
    if (isCopied) await onCopy(transaction)
  })
  return here !== null
}

/**
 * What was in a database that could be asked is not in one that cannot. A key that is new to a copy
 * may have been used in the original since, so it counts until another one was admitted here.
 */
async function isCopyAt(
  database: Database,
  keys: readonly KeyIdentity[],
  here: string | null,
): Promise<boolean> {
  const pins = await database
    .selectFrom('pinned_keys')
    .select(['name', 'fingerprint', 'database'])
    .execute()
  const known = pins.filter((pin) => pin.database !== null)
  const isNewHere = here !== null && known.length > 0 && known.every((pin) => pin.database !== here)
  return pins
    .filter((pin) => keys.some((key) => isSameKey(key, pin)))
    .some((pin) => (pin.database === null ? isNewHere : pin.database !== here))
}

function isSameKey(one: KeyIdentity, other: KeyIdentity): boolean {
  return one.name === other.name && one.fingerprint === other.fingerprint
}

function isOneOf(keys: readonly KeyIdentity[]) {
  return ({ or, and }: ExpressionBuilder<Tables, 'pinned_keys'>) =>
    or(keys.map(({ name, fingerprint }) => and({ name, fingerprint })))
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
