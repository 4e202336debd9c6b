import { sql } from 'kysely'
import { findPurchase, type PurchaseRow } from './purchases.ts'
import { findReward, type RewardRow } from './rewards.ts'
import type { Database } from './tables.ts'

/** A purchase, or a reward of the user as a referrer: what the wire calls a transaction. */
export type TransactionRow =
  | { type: 'purchase'; row: PurchaseRow }
  | { type: 'referral'; row: RewardRow }

/** Where a page begins: at an item (`older`, inclusive) or just before it (`newer`). */
export type PageStart = { createdAt: Date; id: string; towards: 'older' | 'newer' }

/**
 * Up to `countMax` transactions of a user: the newest ones, or those next to `start` in its
 * direction, nearest first.
 */
export async function listTransactionRows(
  database: Database,
  userId: string,
  start: PageStart | null,
  countMax: number,
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
    database
      .selectFrom('purchases')
      .selectAll()
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
    ...purchases.map((row) => ({ type: 'purchase' as const, row })),
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
  const purchase = await findPurchase(database, id)
  if (purchase !== null) return { type: 'purchase', row: purchase }
  const reward = await findReward(database, id)
  return reward === null ? null : { type: 'referral', row: reward }
}
