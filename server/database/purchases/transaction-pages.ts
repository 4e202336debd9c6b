import { sql } from 'kysely'
import { CREDITED_RECEIPTS_MAX } from '#domain/settlement/credit.ts'
import { type CryptoAmount, cryptoAmount } from '#domain/money.ts'
import type { PurchaseRow } from './purchases.ts'
import { findReward, type RewardRow } from './rewards.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A purchase, or a reward of the user as a referrer: what the wire calls a transaction. */
export type TransactionRow =
  | { type: 'purchase'; row: PurchaseRow; receipts: readonly SettledReceipt[] }
  | { type: 'referral'; row: RewardRow }

/** A receipt as the last settlement of its purchase found it. */
export type SettledReceipt = {
  id: string
  transactionHash: string
  amount: CryptoAmount
  confirmations: number
  seenAt: Date
}

/** Where a page begins: at an item (`older`, inclusive) or just before it (`newer`). */
export type PageStart = { createdAt: Date; id: string; towards: 'older' | 'newer' }

/**
 * Up to `countMax` transactions of a user: the newest ones, or those next to `start` in its
 * direction, nearest first. Anybody can send thousands of specks to a purchase: of its receipts the
 * largest are read, or all where `receiptsMax` is null.
 */
export async function listTransactionRows(
  database: Database,
  userId: string,
  start: PageStart | null,
  countMax: number,
  receiptsMax: number | null = CREDITED_RECEIPTS_MAX,
): Promise<TransactionRow[]> {
  const isNewer = start?.towards === 'newer'
  const direction = isNewer ? 'asc' : 'desc'
  const beyond =
    start === null
      ? sql<boolean>`true`
      : isNewer
        ? sql<boolean>`(created_at, id) > (${start.createdAt}, ${start.id}::uuid)`
        : sql<boolean>`(created_at, id) <= (${start.createdAt}, ${start.id}::uuid)`
  const [purchases, rewards] = await Promise.all([
    selectPurchases(database, receiptsMax)
      .where('user_id', '=', userId)
      .where(beyond)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(countMax)
      .execute(),
    database
      .selectFrom('rewards')
      .selectAll()
      .where('referrer_id', '=', userId)
      .where(beyond)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(countMax)
      .execute(),
  ])
  const rows: TransactionRow[] = [
    ...purchases.map(toPurchase),
    ...rewards.map((row) => ({ type: 'referral' as const, row })),
  ]
  return rows.toSorted(isNewer ? byAge : (one, other) => byAge(other, one)).slice(0, countMax)
}

/** Oldest first, by the same order as the database's. */
function byAge({ row: one }: TransactionRow, { row: other }: TransactionRow): number {
  const gapMs = one.created_at.getTime() - other.created_at.getTime()
  return gapMs !== 0 ? gapMs : one.id < other.id ? -1 : 1
}

/** A purchase or a reward of anybody; null where there is neither. */
export async function findTransactionRow(
  database: Database,
  id: string,
): Promise<TransactionRow | null> {
  const purchase = await selectPurchases(database, CREDITED_RECEIPTS_MAX)
    .where('id', '=', id)
    .executeTakeFirst()
  if (purchase !== undefined) return toPurchase(purchase)
  const reward = await findReward(database, id)
  return reward === null ? null : { type: 'referral', row: reward }
}

/** As they are put together in JSON, which has no integers of their size. */
type StoredReceipt = {
  id: string
  transaction_hash: string
  amount: string
  confirmations: number
  seen_at: string
}

/**
 * Purchases with the receipts in their payment token that they were settled with, the largest of
 * them, oldest first. One statement reads both, so that no settlement comes between.
 */
function selectPurchases(database: Database, receiptsMax: number | null) {
  return database
    .selectFrom('purchases')
    .selectAll()
    .select(
      sql<StoredReceipt[] | null>`(
        select json_agg(
          json_build_object(
            'id', id, 'transaction_hash', transaction_hash, 'seen_at', seen_at,
            'amount', settled_amount::text, 'confirmations', settled_confirmations
          ) order by seen_at, id
        )
        from (
          select * from receipts
          where purchase_id = purchases.id and settled_amount is not null
            and payment_token_id = purchases.payment_token_id
          order by settled_amount desc, seen_at, id
          limit ${receiptsMax}::integer
        ) as receipt
      )`.as('settled_receipts'),
    )
}

function toPurchase({
  settled_receipts,
  ...row
}: PurchaseRow & { settled_receipts: StoredReceipt[] | null }) {
  const receipts = (settled_receipts ?? []).map((receipt) => ({
    id: receipt.id,
    transactionHash: receipt.transaction_hash,
    amount: cryptoAmount(BigInt(receipt.amount)),
    confirmations: receipt.confirmations,
    seenAt: new Date(receipt.seen_at),
  }))
  return { type: 'purchase' as const, row, receipts }
}
