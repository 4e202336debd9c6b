import { sql } from 'kysely'
import { type Usd, usd, tokenAmount } from '#domain/money.ts'
import { NOTHING_UNPAID, type Unpaid } from '#domain/sale/reservation.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What is reserved and not paid, and when the first purchase under each bound expires. */
export type UnpaidNow = Unpaid & {
  /** For the buyer's own purchases; null if none is open. */
  expiresAt: Date | null
  /** For those from the buyer's connection. */
  connectionExpiresAt: Date | null
}

/** For one buyer; zero if `userId` is null. Counted by `unpaid_part` in the schema. */
export async function loadUnpaid(
  database: Database,
  stageId: string,
  { userId, connectionHash }: { userId: string | null; connectionHash: Uint8Array | null },
): Promise<UnpaidNow> {
  const [user, connection] = await Promise.all([
    userId === null ? null : ofUser(database, stageId, userId),
    connectionHash === null ? null : ofConnection(database, connectionHash),
  ])
  return {
    ...NOTHING_UNPAID,
    expiresAt: null,
    ...user,
    connectionUsd: connection?.usd ?? usd(0n),
    connectionExpiresAt: connection?.expires_at ?? null,
  }
}

async function ofUser(database: Database, stageId: string, userId: string) {
  const { rows } = await sql<{
    open_count: bigint
    usd: bigint
    tokens: bigint
    expires_at: Date | null
    lapses: bigint
    lapsed_at: Date | null
  }>`select * from unpaid_of_user(${userId}, ${stageId})`.execute(database)
  const [row] = rows
  if (row === undefined) return null
  return {
    openCount: Number(row.open_count),
    usd: usd(row.usd),
    tokens: tokenAmount(row.tokens),
    expiresAt: row.expires_at,
    lapses: Number(row.lapses),
    lapsedAt: row.lapsed_at,
  }
}

async function ofConnection(database: Database, connectionHash: Uint8Array) {
  const { rows } = await sql<{ usd: Usd; expires_at: Date | null }>`
    select * from unpaid_of_connection(${connectionHash})`.execute(database)
  return rows[0] ?? null
}

/** When the first unpaid purchase by others in a stage expires; null if there is none. */
export async function findFirstExpiry(
  database: Database,
  stageId: string,
  userId: string,
): Promise<Date | null> {
  const row = await database
    .selectFrom('purchases')
    .select('grace_ends_at')
    .where('status', '=', 'pending')
    .where('completed_at', 'is', null)
    .where('stage_id', '=', stageId)
    .where('user_id', '<>', userId)
    .orderBy('grace_ends_at')
    .limit(1)
    .executeTakeFirst()
  return row?.grace_ends_at ?? null
}
