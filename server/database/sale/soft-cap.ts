import { sql } from 'kysely'
import { type Usd, usd } from '#domain/money.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** What was credited for all purchases, in dollars at each one's locked prices. */
export async function sumRaised(database: Database): Promise<Usd> {
  const row = await database
    .selectFrom('purchase_sums')
    .select(sql<Usd | null>`sum(credited_usd)`.as('raised'))
    .where('status', '=', 'completed')
    .executeTakeFirst()
  return usd(row?.raised ?? 0n)
}

/** When the sale was closed below its soft cap; null while it is not. */
export async function findClosedAt(database: Database): Promise<Date | null> {
  const row = await database.selectFrom('sale').select('closed_at').executeTakeFirst()
  return row?.closed_at ?? null
}

/** Closes the sale for good, so that nothing is sold any more. Call it under `lockPause`. */
export async function markSaleClosed(transaction: DatabaseTransaction, at: Date): Promise<void> {
  await transaction
    .updateTable('sale')
    .set({ closed_at: at, paused_at: at, pause_reason: 'Closed below its soft cap' })
    .execute()
}
