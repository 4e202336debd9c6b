import { sql } from 'kysely'

import { invariant } from '#domain/invariant.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { readPurchase } from './purchase.ts'

export async function findPurchase(database: Database, id: string): Promise<Purchase | null> {
  const row = await database
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : readPurchase(row)
}

/** The purchase that a user made with an idempotency key. */
export async function findPurchaseByKey(
  database: Database,
  userId: string,
  key: string,
): Promise<Purchase | null> {
  const row = await database
    .selectFrom('purchases')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row === undefined ? null : readPurchase(row)
}

/** The purchases that are paid at these addresses, by address. */
export async function findPurchasesByAddress(
  database: Database,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Purchase>> {
  if (addresses.length === 0) return new Map()
  const rows = await database
    .selectFrom('purchases')
    .selectAll()
    .where(
      sql`lower(address)`,
      '=',
      sql`any (${addresses.map((each) => each.toLowerCase())}::text[])`,
    )
    .execute()
  return new Map(rows.map((row) => [row.address, readPurchase(row)]))
}

/**
 * Whether the user's next purchase counts as the first one: any earlier holder of that has lapsed.
 */
export async function isNextPurchaseFirst(database: Database, userId: string): Promise<boolean> {
  const first = await database
    .selectFrom('first_purchases')
    .innerJoin('purchases', 'purchases.id', 'first_purchases.purchase_id')
    .select('purchases.status')
    .where('first_purchases.user_id', '=', userId)
    .executeTakeFirst()
  return first === undefined || first.status === 'expired' || first.status === 'failed'
}

/** Locked in the order of their ids, as everybody locks them. */
export async function lockPurchases(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<Purchase[]> {
  const rows = await transaction
    .selectFrom('purchases')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  invariant(rows.length === ids.length, 'Purchases are never deleted.')
  return rows.map(readPurchase)
}
