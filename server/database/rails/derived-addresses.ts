import { sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '#domain/unavailable.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { AddressBook, KeyIdentity } from '#server/ports/address-book.ts'

/** Non-hardened derivation ends here (BIP-32). */
const INDEXES = 2n ** 31n
const DERIVED_AT_ONCE = 10

/** Stores the addresses derived from extended public keys, and the indexes of each key. */
export function createAddressBook(database: Database, now: () => Date): AddressBook {
  return {
    take: (key, chain, derive) => takeAddress(database, key, { chain, derive, now: now() }),

    nextIndex: (key) => readNextIndex(database, key),

    skipPast: (key, indexes, derive) =>
      skipAddresses(database, key, { ...indexes, derive, now: now() }),

    async listAfter(keyName, lastId) {
      const rows = await database
        .selectFrom('derived_addresses')
        .select(['id', 'derivation_index', 'address'])
        .where('key_name', '=', keyName)
        .where('id', '>', lastId)
        .orderBy('id')
        .execute()
      return rows.map(({ id, derivation_index, address }) => ({
        id,
        index: Number(derivation_index),
        address,
      }))
    },

    async firstTakenAt(chain) {
      const row = await database
        .selectFrom('derived_addresses')
        .select((select) => select.fn.min('taken_at').as('at'))
        .where('chain', '=', chain)
        .executeTakeFirst()
      return row?.at ?? null
    },
  }
}

async function readNextIndex(
  database: Database,
  { name, fingerprint }: KeyIdentity,
): Promise<number> {
  const row = await database
    .selectFrom('pinned_keys')
    .select('next_index')
    .where('name', '=', name)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirstOrThrow()
  return Number(row.next_index)
}

type Skipping = { used: number; next: number; derive: (index: number) => string; now: Date }

async function skipAddresses(
  database: Database,
  key: KeyIdentity,
  { used, next, derive, now }: Skipping,
): Promise<boolean> {
  const { name, fingerprint } = key
  const start = await readNextIndex(database, key)
  if (start > used) return false
  const skipped: { index: number; address: string }[] = []
  // Each takes a millisecond, too long for a transaction, and everything else waits meanwhile.
  for (let index = start; index < next; index += 1) {
    skipped.push({ index, address: derive(index) })
    if (index % DERIVED_AT_ONCE === 0) await setImmediate()
  }
  return await database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('pinned_keys')
      .select('next_index')
      .where('name', '=', name)
      .where('fingerprint', '=', fingerprint)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.next_index > used) return false
    await transaction
      .updateTable('pinned_keys')
      .set({ next_index: BigInt(next) })
      .where('name', '=', name)
      .where('fingerprint', '=', fingerprint)
      .execute()
    for (const part of chunk(skipped.filter(({ index }) => index >= row.next_index))) {
      const rows = part.map(({ index, address }) => ({
        key_name: name,
        fingerprint,
        derivation_index: BigInt(index),
        chain: null,
        address,
        taken_at: now,
      }))
      await transaction.insertInto('derived_addresses').values(rows).execute()
    }
    return true
  })
}

type Taking = { chain: string; derive: (index: number) => string; now: Date }

async function takeAddress(
  database: Database,
  { name, fingerprint }: KeyIdentity,
  { chain, derive, now }: Taking,
) {
  return await database.transaction().execute(async (transaction) => {
    // The key's row stays locked until the address is stored, so that ids are in order.
    const taken = await transaction
      .updateTable('pinned_keys')
      .set({ next_index: sql`next_index + 1` })
      .where('name', '=', name)
      .where('fingerprint', '=', fingerprint)
      .where('is_current', '=', true)
      .where('next_index', '<', INDEXES)
      .returning('next_index')
      .executeTakeFirst()
    if (taken === undefined) {
      throw new Unavailable(`${name} is no longer the key that addresses are derived from`)
    }
    const index = Number(taken.next_index - 1n)
    const address = derive(index)
    await transaction
      .insertInto('derived_addresses')
      .values({
        key_name: name,
        fingerprint,
        derivation_index: BigInt(index),
        chain,
        address,
        taken_at: now,
      })
      .execute()
    return { index, address }
  })
}
