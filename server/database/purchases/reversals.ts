import { sql } from 'kysely'
import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { Reversal } from '#domain/settlement/facts.ts'
import { growingPurchases } from '#server/database/books/growing-purchases.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** Undoes a locked purchase, for good. The caller first requests its settlement. */
export async function reversePurchase(
  transaction: DatabaseTransaction,
  purchaseId: string,
  { kind, at }: Reversal,
): Promise<void> {
  await transaction
    .updateTable('purchases')
    .set({ reversal: kind, reversed_at: at })
    .where('id', '=', purchaseId)
    .execute()
}

/** Purchases that a closed sale still has to undo, in the order of their ids. */
export async function listUnreversed(database: Database, countMax: number): Promise<string[]> {
  const rows = await unreversed(database).select('id').orderBy('id').limit(countMax).execute()
  return rows.map(({ id }) => id)
}

/** How many a closed sale still has to undo. */
export async function countUnreversed(database: Database): Promise<number> {
  const count = sql<number>`count(*)::integer`.as('count')
  return (await unreversed(database).select(count).executeTakeFirstOrThrow()).count
}

const unreversed = (database: Database) =>
  database
    .selectFrom('purchases')
    .where('reversal', 'is', null)
    .where('status', 'in', ['pending', 'processing', 'completed'])

/** What was paid for purchases that could still be withdrawn from, by payment token. */
export type WithdrawableSum = {
  paymentTokenId: string
  amount: CryptoAmount
  /** At the prices that were locked. */
  usd: Usd
  count: number
}

/** Only for completed purchases: what is not credited is owed back, or has not come yet. */
export async function sumWithdrawable(database: Database, now: Date): Promise<WithdrawableSum[]> {
  return await database
    .selectFrom('purchases')
    .select(({ fn }) => [
      'payment_token_id as paymentTokenId',
      fn.sum<CryptoAmount>('credited_crypto').as('amount'),
      fn.sum<Usd>('credited_usd').as('usd'),
      sql<number>`count(*)::integer`.as('count'),
    ])
    .where('status', '=', 'completed')
    .where('withdrawable_until', '>', now)
    .groupBy('payment_token_id')
    .orderBy('payment_token_id')
    .execute()
}

/** Undoes locked purchases of a closed sale, except those that are undone already. */
export async function reverseForSoftCap(
  transaction: DatabaseTransaction,
  purchaseIds: readonly string[],
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('purchases')
    .set({ reversal: 'soft_cap', reversed_at: at })
    .where('id', 'in', purchaseIds)
    .where('reversal', 'is', null)
    .execute()
}

/**
 * How many purchases may still bring money in, with the ids of the oldest; those that an operator
 * holds do not count.
 */
export async function listUndecided(
  database: Database,
  countMax: number,
): Promise<{ count: number; ids: string[] }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, (count(*) over ())::integer as count from (
      select id, created_at from purchases
      where reversal is null and status in ('pending', 'processing')
        and status_reason is distinct from 'held'
      union ${growingPurchases}
    ) as undecided
    order by created_at, id limit ${countMax}`.execute(database)
  return { count: rows[0]?.count ?? 0, ids: rows.map(({ id }) => id) }
}
