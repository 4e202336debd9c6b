import { sql } from 'kysely'
import { type LedgerTransfer, TOKEN_ASSET, userAccount } from '#domain/settlement/ledger.ts'
import { subtract, type TokenAmount, tokenAmount, type Usd, usd } from '#domain/money.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { DatabaseTransaction, NamedStatements, Row } from '#server/database/tables/tables.ts'

export type LedgerEntry = LedgerTransfer & {
  /** The purchase or reward that moves it; null for a stage's supply. */
  causeId: string | null
  /** Whose purchase or reward that is; null for a stage's supply. */
  userId: string | null
}

/** Adds to the ledger. A transfer names a user only if one of that user's accounts takes part. */
export async function recordTransfers(
  transaction: DatabaseTransaction,
  entries: readonly LedgerEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return
  const rows = transferRows(entries, at)
  await sql`
    insert into "ledger_transfers" (cause_id, user_id, source, destination, asset, amount, at)
    select cause_id, user_id, source, destination, asset, amount, ${at}::timestamptz
    from unnest(
      ${arrayText(rows.map((row) => row.cause_id))}::uuid[],
      ${arrayText(rows.map((row) => row.user_id))}::uuid[],
      ${arrayText(rows.map((row) => row.source))}::text[],
      ${arrayText(rows.map((row) => row.destination))}::text[],
      ${arrayText(rows.map((row) => row.asset))}::text[],
      ${arrayText(rows.map((row) => row.amount))}::numeric[]
    ) with ordinality as entry (cause_id, user_id, source, destination, asset, amount, place)
    order by place`.execute(transaction)
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

export type StoredAccount = { user: Row<'users'>; balances: UserBalances }

/**
 * Users with their tokens according to the ledger, and what these were bought for, in any order;
 * unknown and erased users are left out. The ledger does not separate bonuses from what was bought,
 * but the credits of the purchases do. Rewards count as base tokens.
 */
export async function listAccounts(
  statements: NamedStatements,
  userIds: readonly string[],
): Promise<StoredAccount[]> {
  const rows = await statements.runNamed<StoredAccount['user'] & BalanceColumns>(
    'accounts',
    ACCOUNTS,
    [userIds, userIds.map(userAccount), TOKEN_ASSET],
  )
  return rows.map(({ held, bonus_tokens, paid, ...user }) => {
    const total = tokenAmount(held ?? 0n)
    const bonuses = tokenAmount(bonus_tokens ?? 0n)
    const base = subtract(total, bonuses)
    return { user, balances: { base, bonuses, total, paid: usd(paid ?? 0n) } }
  })
}

type BalanceColumns = { held: bigint | null; bonus_tokens: bigint | null; paid: bigint | null }

/** In subqueries, so that there is one plan, and not one for each number of users. */
const ACCOUNTS = `
  select users.*, tokens.held, credited.paid, credited.bonus_tokens
  from unnest((select $1::uuid[]), (select $2::text[])) as asked (user_id, account)
  join users on users.id = asked.user_id and users.erased_at is null
  cross join lateral (
    select sum(case when destination = asked.account then amount else -amount end) as held
    from ledger_transfers
    where user_id = asked.user_id and asset = $3
  ) as tokens
  cross join lateral (
    select sum(credited_usd) as paid, sum((
      select sum(bonus.tokens::numeric) from jsonb_each_text(credited_bonuses) as bonus (type, tokens)
    )) as bonus_tokens
    from purchases
    where user_id = asked.user_id and status = 'completed'
  ) as credited`
