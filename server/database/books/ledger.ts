import { sql } from 'kysely'
import { type LedgerTransfer, TOKEN_ASSET, userAccount } from '#domain/settlement/ledger.ts'
import { subtract, type TokenAmount, tokenAmount, type Usd, usd } from '#domain/money.ts'
import { chunk } from '#server/database/connection/chunk.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type LedgerEntry = LedgerTransfer & {
  /** The purchase or reward that moves it; null for a stage's supply. */
  causeId: string | null
  /** Whose purchase or reward that is; null for a stage's supply. */
  userId: string | null
}

/** Adds to the ledger. A transfer names a user only where an account of that user takes part. */
export async function recordTransfers(
  transaction: DatabaseTransaction,
  entries: readonly LedgerEntry[],
  at: Date,
): Promise<void> {
  for (const part of chunk(transferRows(entries, at))) {
    await transaction.insertInto('ledger_transfers').values(part).execute()
  }
}

export function transferRows(entries: readonly LedgerEntry[], at: Date) {
  return entries.map(({ causeId, userId, source, destination, asset, amount }) => ({
    cause_id: causeId,
    user_id: isTheirs(userId, source) || isTheirs(userId, destination) ? userId : null,
    source,
    destination,
    asset,
    amount,
    at,
  }))
}

const isTheirs = (userId: string | null, account: string) =>
  userId !== null && account === userAccount(userId)

export type UserBalances = {
  base: TokenAmount
  bonuses: TokenAmount
  total: TokenAmount
  /** What all completed purchases were credited for. */
  paid: Usd
}

/**
 * The tokens that belong to a user by the ledger, and what they were bought for. The ledger does
 * not separate bonuses from what was bought: the credits of the purchases do. Rewards count as
 * base.
 */
export async function userBalances(database: Database, userId: string): Promise<UserBalances> {
  const account = userAccount(userId)
  const { rows } = await sql<{ total: bigint | null; bonuses: bigint | null; paid: bigint | null }>`
    select credited.*, (
      select sum(case when destination = ${account} then amount else -amount end)
      from ledger_transfers
      where user_id = ${userId} and asset = ${TOKEN_ASSET}
    ) as total
    from (
      select sum(credited_usd) as paid, sum((
        select sum(bonus.tokens::numeric) from jsonb_each_text(credited_bonuses) as bonus (type, tokens)
      )) as bonuses
      from purchases
      where user_id = ${userId} and status = 'completed'
    ) as credited`.execute(database)
  const total = tokenAmount(rows[0]?.total ?? 0n)
  const bonuses = tokenAmount(rows[0]?.bonuses ?? 0n)
  return { base: subtract(total, bonuses), bonuses, total, paid: usd(rows[0]?.paid ?? 0n) }
}
