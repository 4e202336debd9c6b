import { sql } from 'kysely'
import { CREDITED_RECEIPTS_MAX } from '#domain/settlement/crediting.ts'
import { type CryptoAmount, cryptoAmount } from '#domain/money.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { type PurchaseRow, readPurchase } from './purchase.ts'
import { findReward, readReward, type Reward } from './rewards.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A purchase, or a reward of the user as a referrer: what the wire calls a transaction. */
export type StoredTransaction = { id: string; createdAt: Date } & (
  | { type: 'purchase'; purchase: Purchase; receipts: readonly SettledReceipt[] }
  | { type: 'referral'; reward: Reward }
)

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
export async function listStoredTransactions(
  database: Database,
  userId: string,
  start: PageStart | null,
  countMax: number,
  receiptsMax: number | null = CREDITED_RECEIPTS_MAX,
): Promise<StoredTransaction[]> {
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
  const found = [...purchases.map(ofPurchase), ...rewards.map(readReward).map(ofReward)]
  return found.toSorted(isNewer ? byAge : (one, other) => byAge(other, one)).slice(0, countMax)
}

/** Oldest first, by the same order as the database's. */
function byAge(one: StoredTransaction, other: StoredTransaction): number {
  const gapMs = one.createdAt.getTime() - other.createdAt.getTime()
  return gapMs !== 0 ? gapMs : one.id < other.id ? -1 : 1
}

/** A purchase or a reward of anybody; null where there is neither. */
export async function findStoredTransaction(
  database: Database,
  id: string,
): Promise<StoredTransaction | null> {
  const purchase = await selectPurchases(database, CREDITED_RECEIPTS_MAX)
    .where('id', '=', id)
    .executeTakeFirst()
  if (purchase !== undefined) return ofPurchase(purchase)
  const reward = await findReward(database, id)
  return reward === null ? null : ofReward(reward)
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

function ofPurchase(
  row: PurchaseRow & { settled_receipts: StoredReceipt[] | null },
): StoredTransaction {
  const receipts = (row.settled_receipts ?? []).map((receipt) => ({
    id: receipt.id,
    transactionHash: receipt.transaction_hash,
    amount: cryptoAmount(BigInt(receipt.amount)),
    confirmations: receipt.confirmations,
    seenAt: new Date(receipt.seen_at),
  }))
  const purchase = readPurchase(row)
  const { createdAt } = purchase.terms
  return { type: 'purchase', id: purchase.id, createdAt, purchase, receipts }
}

function ofReward(reward: Reward): StoredTransaction {
  return { type: 'referral', id: reward.id, createdAt: reward.createdAt, reward }
}
