import type { Selectable } from 'kysely'
import { invariant } from '#domain/invariant.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import type { PurchasesTable } from '#server/database/tables/sale-tables.ts'
import { readLockedBonuses } from './stored-bonuses.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type PurchaseRow = Selectable<PurchasesTable>

/** The terms that a purchase was made on. */
export function termsOf(row: PurchaseRow): PurchaseTerms {
  return {
    stageId: row.stage_id,
    paymentTokenId: row.payment_token_id,
    usd: row.usd,
    tokenPrice: row.token_price,
    tokenDecimals: row.token_decimals,
    cryptoPrice: row.crypto_price,
    cryptoDecimals: row.crypto_decimals,
    cryptoDue: row.crypto_due,
    reserved: row.reserved,
    lockedBonuses: readLockedBonuses(row.locked_bonuses),
    minUsd: row.min_usd,
    maxUsd: row.max_usd,
    requiredConfirmations: row.required_confirmations,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export async function findPurchase(database: Database, id: string): Promise<PurchaseRow | null> {
  const row = await database
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The purchase that a user made with an idempotency key. */
export async function findPurchaseByKey(
  database: Database,
  userId: string,
  key: string,
): Promise<PurchaseRow | null> {
  const row = await database
    .selectFrom('purchases')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/** What is paid to at these addresses, by address. */
export async function findPurchasesByAddress(
  database: Database,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, PurchaseRow>> {
  if (addresses.length === 0) return new Map()
  const rows = await database
    .selectFrom('purchases')
    .selectAll()
    .where('address', 'in', addresses)
    .execute()
  return new Map(rows.map((row) => [row.address, row]))
}

/** Whether the next purchase of a user is the first one: any earlier holder of that has lapsed. */
export async function isNextPurchaseFirst(database: Database, userId: string): Promise<boolean> {
  const first = await database
    .selectFrom('first_purchases')
    .innerJoin('purchases', 'purchases.id', 'first_purchases.purchase_id')
    .select('purchases.status')
    .where('first_purchases.user_id', '=', userId)
    .executeTakeFirst()
  return first === undefined || first.status === 'expired' || first.status === 'failed'
}

/** Locked in the order of their ids, which is the order that everybody locks them in. */
export async function lockPurchases(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<PurchaseRow[]> {
  const rows = await transaction
    .selectFrom('purchases')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  invariant(rows.length === ids.length, 'Purchases are never deleted.')
  return rows
}
