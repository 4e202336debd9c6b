import { sql } from 'kysely'
import { Unavailable } from '#domain/unavailable.ts'
import type { Database } from '#server/database/tables/tables.ts'

type KeyIdentity = { name: string; fingerprint: string }

/** Non-hardened derivation ends here (BIP-32). */
const INDEXES = 2n ** 31n

/** Stores the addresses derived from extended public keys, and the indexes of each key. */
export function createAddressBook(database: Database, now: () => Date) {
  return {
    take: (key: KeyIdentity, chain: string, derive: (index: number) => string) =>
      takeAddress(database, key, { chain, derive, now: now() }),

    async nextIndex({ name, fingerprint }: KeyIdentity): Promise<number> {
      const row = await database
        .selectFrom('derivation_keys')
        .select('next_index')
        .where('name', '=', name)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirstOrThrow()
      return Number(row.next_index)
    },

    async skipPast(
      { name, fingerprint }: KeyIdentity,
      used: number,
      next: number,
    ): Promise<boolean> {
      const moved = await database
        .updateTable('derivation_keys')
        .set({ next_index: BigInt(next) })
        .where('name', '=', name)
        .where('fingerprint', '=', fingerprint)
        .where('next_index', '<=', BigInt(used))
        .returning('name')
        .executeTakeFirst()
      return moved !== undefined
    },

    async listAfter(keyName: string, lastId: bigint) {
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

    async firstTakenAt(chain: string): Promise<Date | null> {
      const row = await database
        .selectFrom('derived_addresses')
        .select((select) => select.fn.min('taken_at').as('at'))
        .where('chain', '=', chain)
        .executeTakeFirst()
      return row?.at ?? null
    },
  }
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
      .updateTable('derivation_keys')
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
