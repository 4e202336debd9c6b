import { sql } from 'kysely'
import { invariant } from '#domain/invariant.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { readPurchase } from './purchase.ts'
import { tokenAmount } from '#domain/money.ts'

export async function findPurchase(database: Database, id: string): Promise<Purchase | null> {
  const row = await database
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : readPurchase(row)
}

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

/**
 * Requests the settlement of purchases whose new facts the same transaction writes next. If one of
 * them is being settled at this moment, this waits: that settlement has not seen these facts, and
 * would delete this request with its own. So the conflict is an update and not `do nothing`. Call
 * it before receipts are written, since settling locks those after this row.
 */
export async function requestSettlements(
  transaction: DatabaseTransaction,
  purchaseIds: readonly string[],
): Promise<void> {
  if (purchaseIds.length === 0) return
  await transaction
    .insertInto('settlements_due')
    .values([...new Set(purchaseIds)].toSorted().map((id) => ({ purchase_id: id })))
    .onConflict((conflict) =>
      conflict.column('purchase_id').doUpdateSet((excluded) => ({
        purchase_id: excluded.ref('excluded.purchase_id'),
      })),
    )
    .execute()
}

/**
 * Requests the settlement of purchases that expire, now that their chain has been read past the end
 * of their grace: unpaid ones whose gateway, if any, was asked after it, and, once, those that wait
 * for confirmations, since late money keeps no reservation. Locks the requests that are there
 * already, as `requestSettlements` does: a settlement that has not seen this would delete them.
 */
export async function requestExpiries(
  transaction: DatabaseTransaction,
  chain: string,
  { from, to }: { from: Date | null; to: Date },
): Promise<void> {
  const over = transaction
    .selectFrom('purchases')
    .select('id')
    .where('chain', '=', chain)
    .where('grace_ends_at', '<=', to)
    .where('completed_at', 'is', null)
  // An answer that passes their time requests their settlement; until then nothing would change.
  const unpaid = over.where('status', '=', 'pending').where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('gateway_payments as payment')
          .select('payment.id')
          .whereRef('payment.purchase_id', '=', 'purchases.id')
          .where('payment.ask_next_at', 'is not', null)
          .where(({ eb, or, ref }) =>
            or([
              eb('payment.known_through', 'is', null),
              eb('payment.known_through', '<', ref('purchases.grace_ends_at')),
            ]),
          ),
      ),
    ),
  )
  const waiting = over
    .where('status', '=', 'processing')
    .where('held', '>', tokenAmount(0n))
    .where('grace_ends_at', '>', from ?? to)
  await transaction
    .insertInto('settlements_due')
    .columns(['purchase_id'])
    .expression(unpaid.unionAll(waiting).orderBy('id'))
    .onConflict((conflict) =>
      conflict.column('purchase_id').doUpdateSet((excluded) => ({
        purchase_id: excluded.ref('excluded.purchase_id'),
      })),
    )
    .execute()
}

/**
 * Takes purchases that have new facts, only those with a greater id than `after` or a given one,
 * and skips those that another instance is settling. They leave the list when the transaction
 * commits, and stay if it does not.
 */
export async function takeSettlements(
  transaction: DatabaseTransaction,
  countMax: number,
  { after = null, onlyId = null }: { after?: string | null; onlyId?: string | null } = {},
): Promise<string[]> {
  let due = transaction
    .selectFrom('settlements_due')
    .select('purchase_id')
    .orderBy('purchase_id')
    .limit(countMax)
    .forUpdate()
    .skipLocked()
  if (onlyId !== null) due = due.where('purchase_id', '=', onlyId)
  if (after !== null) due = due.where('purchase_id', '>', after)
  const rows = await transaction
    .deleteFrom('settlements_due')
    // Not `in`, whose rows PostgreSQL may look up once for each purchase, and so take more.
    .where('purchase_id', '=', sql<string>`any (array(${due}))`)
    .returning('purchase_id')
    .execute()
  return rows.map(({ purchase_id }) => purchase_id)
}

/** The first purchases that have new facts, of those with a greater id than `after`. */
export async function listSettlements(
  database: Database,
  countMax: number,
  after: string | null = null,
): Promise<string[]> {
  let due = database
    .selectFrom('settlements_due')
    .select('purchase_id')
    .orderBy('purchase_id')
    .limit(countMax)
  if (after !== null) due = due.where('purchase_id', '>', after)
  const rows = await due.execute()
  return rows.map(({ purchase_id }) => purchase_id)
}
