import { type RawBuilder, sql } from 'kysely'
import { CREDITED_RECEIPTS_MAX } from '#domain/settlement/crediting.ts'
import { type CryptoAmount, cryptoAmount } from '#domain/money.ts'
import type { TransactionState } from '#domain/settlement/outcome.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { type PurchaseRow, readPurchase } from './purchase.ts'
import { findReward, readReward, type Reward } from './rewards.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A purchase, or a reward of the user as a referrer: what the wire calls a transaction. */
export type StoredTransaction = { id: string; createdAt: Date } & (
  | ({ type: 'purchase'; purchase: Purchase } & PurchaseMoney)
  | { type: 'referral'; reward: Reward }
)

/** What came for a purchase and what went back, as of the reading of its status. */
export type PurchaseMoney = {
  receipts: readonly SettledReceipt[]
  refunds: readonly StoredRefund[]
}

/** Money of a purchase that is owed back or was paid back. */
export type StoredRefund = {
  /** Null where the asset is none of the sale's payment tokens. */
  paymentTokenId: string | null
  amount: CryptoAmount
  /** The transaction that paid it; null while it is owed. */
  paidBy: { chain: string; transactionHash: string } | null
}

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

/** Whose transactions are listed, and in which state; null lists all. */
export type TransactionFilter = { userId: string; state: TransactionState | null }

/**
 * Up to `countMax` transactions of a user: the newest ones, or those next to `start` in its
 * direction, nearest first. Anybody can send thousands of specks to a purchase: of its receipts and
 * refunds the largest are read, or all where `receiptsMax` is null.
 */
export async function listStoredTransactions(
  database: Database,
  { userId, state }: TransactionFilter,
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
      .where(purchaseIsIn(state))
      .where(beyond)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(countMax)
      .execute(),
    hasRewards(state)
      ? database
          .selectFrom('rewards')
          .selectAll()
          .where('referrer_id', '=', userId)
          .where(rewardIsIn(state))
          .where(beyond)
          .orderBy('created_at', direction)
          .orderBy('id', direction)
          .limit(countMax)
          .execute()
      : [],
  ])
  const found = [...purchases.map(ofPurchase), ...rewards.map(readReward).map(ofReward)]
  return found.toSorted(isNewer ? byAge : (one, other) => byAge(other, one)).slice(0, countMax)
}

/** How many transactions a user has in a state, and how many of them are newer than `start`. */
export async function countTransactions(
  database: Database,
  { userId, state }: TransactionFilter,
  start: PageStart | null,
): Promise<{ total: number; newer: number }> {
  const isNewer =
    start === null ? sql`false` : sql`(created_at, id) > (${start.createdAt}, ${start.id}::uuid)`
  const { rows } = await sql<{ total: number; newer: number }>`
    select sum(count)::integer as total, sum(newer)::integer as newer
    from (
      select count(*) as count, count(*) filter (where ${isNewer}) as newer
      from purchases where user_id = ${userId} and ${purchaseIsIn(state)}
      union all
      select count(*), count(*) filter (where ${isNewer})
      from rewards where referrer_id = ${userId} and ${rewardIsIn(state)}
    ) as part`.execute(database)
  return rows[0] ?? { total: 0, newer: 0 }
}

function purchaseIsIn(state: TransactionState | null): RawBuilder<boolean> {
  switch (state) {
    case null:
      return sql`true`
    case 'open':
      return sql`status in ('pending', 'processing')`
    case 'done':
      return sql`status = 'completed'`
    case 'refund':
      // The offset keeps it a look-up for each purchase of the user: joined, it reads all refunds.
      return sql`exists (select from refunds_due where purchase_id = purchases.id offset 0)`
  }
}

/** Nobody pays for a reward: it is there, or was taken back. */
const hasRewards = (state: TransactionState | null) => state === null || state === 'done'

function rewardIsIn(state: TransactionState | null): RawBuilder<boolean> {
  if (!hasRewards(state)) return sql`false`
  return state === null ? sql`true` : sql`status = 'completed'`
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

type StoredRefundRow = {
  payment_token_id: string | null
  amount: string
  paid_by: StoredRefund['paidBy']
}

/** What is read with a purchase beside its own columns. */
type MoneyColumns = {
  settled_receipts: StoredReceipt[] | null
  stored_refunds: StoredRefundRow[] | null
}

/**
 * Purchases with the receipts in their payment token that they were settled with, the largest of
 * them, oldest first, and with their refunds, the longest owed first. One statement reads all, so
 * that no settlement comes between.
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
    .select(
      sql<StoredRefundRow[] | null>`(
        select json_agg(
          json_build_object(
            'payment_token_id', payment_token_id, 'amount', amount::text, 'paid_by', paid_by
          ) order by since, receipt_id, payment_id
        )
        from (
          select refund.*, receipts.payment_token_id
          from (
            select receipt_id, 0::bigint as payment_id, amount, since, null::json as paid_by
            from refunds_due where purchase_id = purchases.id
            union all
            select receipt_id, id, amount, owed_since,
              json_build_object('chain', chain, 'transactionHash', transaction_hash)
            from refund_payments where purchase_id = purchases.id
          ) as refund
          join receipts on receipts.id = refund.receipt_id
          order by
            receipts.payment_token_id is distinct from purchases.payment_token_id,
            refund.amount desc, since, receipt_id, payment_id
          limit ${receiptsMax}::integer
        ) as refund
      )`.as('stored_refunds'),
    )
}

function ofPurchase(row: PurchaseRow & MoneyColumns): StoredTransaction {
  const receipts = (row.settled_receipts ?? []).map((receipt) => ({
    id: receipt.id,
    transactionHash: receipt.transaction_hash,
    amount: cryptoAmount(BigInt(receipt.amount)),
    confirmations: receipt.confirmations,
    seenAt: new Date(receipt.seen_at),
  }))
  const refunds = (row.stored_refunds ?? []).map((refund) => ({
    paymentTokenId: refund.payment_token_id,
    amount: cryptoAmount(BigInt(refund.amount)),
    paidBy: refund.paid_by,
  }))
  const purchase = readPurchase(row)
  const { createdAt } = purchase.terms
  return { type: 'purchase', id: purchase.id, createdAt, purchase, receipts, refunds }
}

function ofReward(reward: Reward): StoredTransaction {
  return { type: 'referral', id: reward.id, createdAt: reward.createdAt, reward }
}
