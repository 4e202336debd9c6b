import { sql } from 'kysely'

import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { subtract, type TokenAmount } from '#domain/money.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What belongs to one user in all: what is to be handed out after the sale. */
export type AllocationRow = {
  userId: string
  email: string
  firstName: string
  lastName: string
  base: TokenAmount
  bonuses: TokenAmount
  total: TokenAmount
}

const BATCH = 1_000
/** Nothing is locked, so that a reader may be slow; more than the timeout of the response. */
const READER_MAX_MS = 30_000

/**
 * Everybody who has tokens, in batches, by id. All of it is one snapshot, so that its sum is what
 * the ledger held at one moment, however long the reading takes; the database's connection is taken
 * until the last batch, or until the reader returns. Rewards count as base, as in a user's balance.
 */
export async function* readAllocations(database: Database): AsyncGenerator<AllocationRow[]> {
  const transaction = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    await sql`
      select set_config('idle_in_transaction_session_timeout', ${String(READER_MAX_MS)}, true)`.execute(
      transaction,
    )
    await sql`
      declare allocations no scroll cursor for
      select owned.user_id, email, first_name, last_name, total, coalesce(bonuses, 0) as bonuses
      from (
        select user_id,
          sum(case when destination = 'user:' || user_id then amount else -amount end) as total
        from ledger_transfers
        where asset = ${sql.lit(TOKEN_ASSET)} and user_id is not null
        group by user_id
      ) as owned
      join users on users.id = owned.user_id
      left join (
        select user_id, sum(bonus.tokens::numeric) as bonuses
        from purchases, jsonb_each_text(credited_bonuses) as bonus (type, tokens)
        where status = 'completed'
        group by user_id
      ) as bonus on bonus.user_id = owned.user_id
      where total <> 0
      order by owned.user_id`.execute(transaction)
    for (;;) {
      const { rows } = await sql<{
        user_id: string
        email: string
        first_name: string
        last_name: string
        total: TokenAmount
        bonuses: TokenAmount
      }>`fetch ${sql.lit(BATCH)} from allocations`.execute(transaction)
      if (rows.length === 0) return
      yield rows.map((row) => ({
        userId: row.user_id,
        email: row.email,
        firstName: row.first_name,
        lastName: row.last_name,
        base: subtract(row.total, row.bonuses),
        bonuses: row.bonuses,
        total: row.total,
      }))
    }
  } finally {
    // Nothing was written; a connection that broke meanwhile has ended its transaction already.
    await transaction
      .rollback()
      .execute()
      .catch(() => {})
  }
}
