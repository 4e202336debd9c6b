import { type RawBuilder, sql } from 'kysely'

import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { effectiveWallet, walletsSince } from './effective-wallet.ts'
import { movesOwned, ownedChange } from './owned-tokens.ts'

/** Somebody who has tokens but no known wallet. */
export type UnassignedOwner = {
  userId: string
  email: string
  /** Nobody can name a wallet for an erased account any more. */
  isErased: boolean
  tokens: TokenAmount
}

/** For a snapshot, by its number, or for the ledger if null; and as of when. */
export type UnassignedQuestion = { snapshot: number | null; chainId: number | null; now: Date }

const BATCH = 1_000

/** Who has tokens and no wallet in effect, by id, in batches from one moment. */
export function readUnassigned(
  database: Database,
  question: UnassignedQuestion,
): AsyncGenerator<UnassignedOwner[]> {
  return readSnapshot(database, (snapshot) =>
    readInBatches(
      (after: string | null) => listUnassigned(snapshot, question, after, BATCH),
      ({ userId }) => userId,
    ),
  )
}

/** The next ones by id, after one. */
export async function listUnassigned(
  database: Database,
  question: UnassignedQuestion,
  after: string | null,
  countMax: number,
): Promise<UnassignedOwner[]> {
  const beyond = after === null ? sql`true` : sql`user_id > ${after}`
  const { rows } = await sql<UnassignedOwner>`
    select owner.user_id as "userId", users.email, users.erased_at is not null as "isErased",
      owner.tokens
    from (${owners(question, beyond)}) as owner
    join users on users.id = owner.user_id
    where ${hasNoWallet(question)}
    order by owner.user_id
    limit ${countMax}`.execute(database)
  return rows
}

type Sums = { count: number; tokens: TokenAmount; invitable: number }

/** How many there are, what they have, and how many of them can be invited. */
export async function sumUnassigned(
  database: Database,
  question: UnassignedQuestion,
): Promise<Sums> {
  const { snapshot } = question
  const query = snapshot === null ? sumsOfLedger(question) : sumsOfSnapshot(question, snapshot)
  const { rows } = await query.execute(database)
  return rows[0] ?? { count: 0, tokens: tokenAmount(0n), invitable: 0 }
}

/** Whole tables are joined: a look-up for each owner would take far longer. */
function sumsOfLedger(question: UnassignedQuestion): RawBuilder<Sums> {
  const { chainId, now } = question
  return sql<Sums>`
    select count(*)::integer as count, coalesce(sum(owner.tokens), 0) as tokens,
      count(*) filter (where erased.id is null)::integer as invitable
    from (${owners(question, sql`true`)}) as owner
    left join (select id from users where erased_at is not null) as erased
      on erased.id = owner.user_id
    where not exists (
      select from receiving_wallets as wallet
      where wallet.user_id = owner.user_id and wallet.chain_id = ${chainId}::bigint
        and wallet.cancelled_at is null and wallet.effective_at <= ${now}
    )`
}

/**
 * Those without a wallet in the snapshot, which has an index of them, less those who have named one
 * since: nobody with a wallet is looked at.
 */
function sumsOfSnapshot(question: UnassignedQuestion, snapshot: number): RawBuilder<Sums> {
  const unknown = sql`owner.snapshot = ${snapshot} and owner.address is null`
  return sql<Sums>`
    with unassigned as (
      select count(*)::integer as count, coalesce(sum(tokens), 0) as tokens
      from snapshot_owners as owner where ${unknown}
    ), named as (
      select count(*)::integer as count, coalesce(sum(tokens), 0) as tokens
      from (select distinct user_id from (${walletsSince(snapshot)}) as wallet) as wallet
      join snapshot_owners as owner on owner.user_id = wallet.user_id and ${unknown}
      where not ${hasNoWallet(question)}
    ), erased as (
      select count(*)::integer as count
      from users join snapshot_owners as owner on owner.user_id = users.id and ${unknown}
      where users.erased_at is not null and ${hasNoWallet(question)}
    )
    select unassigned.count - named.count as count, unassigned.tokens - named.tokens as tokens,
      unassigned.count - named.count - erased.count as invitable
    from unassigned, named, erased`
}

function owners({ snapshot }: UnassignedQuestion, which: RawBuilder<unknown>) {
  if (snapshot !== null) {
    return sql`
      select user_id, tokens::numeric as tokens from snapshot_owners
      where snapshot = ${snapshot} and ${which}`
  }
  return sql`
    select user_id, sum(${ownedChange}) as tokens
    from ledger_transfers where ${movesOwned} and ${which}
    group by user_id
    having sum(${ownedChange}) > 0`
}

const hasNoWallet = ({ chainId, now }: UnassignedQuestion) =>
  sql<boolean>`(${effectiveWallet(sql`owner.user_id`, chainId, now)} is null)`

export async function hasEffectiveWallet(
  database: Database,
  userId: string,
  chainId: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select ${effectiveWallet(sql`${userId}::uuid`, chainId, now)} is not null
      as is_there`.execute(database)
  return rows[0]?.is_there ?? false
}

/** Whether this transaction may invite, until its end; false if another one is doing so. */
export async function lockInvitation(transaction: DatabaseTransaction): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('invitations')) as is_locked`.execute(transaction)
  return rows[0]?.is_locked ?? false
}

/** When somebody was last asked for a wallet; null if nobody was. */
export async function findLastInvitation(database: Database): Promise<Date | null> {
  const { rows } = await sql<{ invited_at: Date | null }>`
    select max(at) as invited_at from operator_actions
    where act = 'inviteUnassigned'`.execute(database)
  return rows[0]?.invited_at ?? null
}
