import { sql } from 'kysely'

import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { effectiveWallet } from './effective-wallet.ts'
import { givenTo, givenToAll } from './given-tokens.ts'

/** An owner of a snapshot who has a wallet. */
export type DueOwner = {
  userId: string
  address: string
  /** How much they got from each stage. */
  stages: readonly { stageId: string; tokens: TokenAmount }[]
  /** What distributions have given them so far. */
  given: TokenAmount
  /** What of that they get as streams, which release it over time. */
  streams: readonly { distributionId: string; tokens: TokenAmount }[]
}

/** Few: a page stays in young memory, and what survives two collections of that is freed late. */
const OWNERS_A_PAGE = 500

/**
 * The owners of a snapshot with a wallet, in the order of the addresses (byte by byte), so that
 * those who share one are adjacent. A distribution that is being made does not count as given.
 */
export async function* readDueOwners(
  database: Database,
  snapshot: number,
  makingId: bigint | null,
): AsyncGenerator<readonly DueOwner[]> {
  let after = { address: '', userId: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await sql<{
      user_id: string
      address: string
      stages: Record<string, string> | null
      given: bigint
      streams: Record<string, string> | null
    }>`
      select owner.user_id, owner.address, stages.by_stage as stages,
        coalesce(given.tokens, 0) as given, given.streams
      from (
        select user_id, address from snapshot_owners
        where snapshot = ${snapshot} and address is not null
          and (address collate "C", user_id) > (${after.address}, ${after.userId}::uuid)
        order by address collate "C", user_id limit ${OWNERS_A_PAGE}
      ) as owner
      cross join lateral (
        select jsonb_object_agg(stage_id, tokens) as by_stage from (
          select stage_id, sum(tokens)::text as tokens from snapshot_leaves
          where snapshot = ${snapshot} and user_id = owner.user_id group by stage_id
        ) as stage
      ) as stages
      cross join lateral (
        ${givenTo(sql`owner.user_id`, sql`distributions.id is distinct from ${makingId}::bigint`)}
      ) as given
      order by owner.address collate "C", owner.user_id`.execute(database)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ user_id: userId, address, stages, given, streams }) => ({
      userId,
      address,
      stages: readStages(stages),
      given: tokenAmount(given),
      streams: Object.entries(streams ?? {}).map(([distributionId, tokens]) => ({
        distributionId,
        tokens: tokenAmount(BigInt(tokens)),
      })),
    }))
    if (rows.length < OWNERS_A_PAGE) return
    after = { address: last.address, userId: last.user_id }
  }
}

export type NewestSnapshot = {
  number: number
  takenAt: Date
  ledgerPosition: bigint
  tokens: TokenAmount
  ownerCount: number
  unassigned: { owners: number; tokens: TokenAmount }
  /** What distributions have given so far; of those that have ended, only what has arrived. */
  given: TokenAmount
  /** What all of its owners got from each stage. */
  stages: readonly { stageId: string; tokens: TokenAmount }[]
}

type NewestRow = Omit<NewestSnapshot, 'unassigned' | 'stages'> & {
  unassignedOwners: number
  unassignedTokens: TokenAmount
  stages: Record<string, string> | null
}

/** Null before the first freeze. */
export async function findNewestSnapshot(database: Database): Promise<NewestSnapshot | null> {
  const { rows } = await sql<NewestRow>`
    select number, taken_at as "takenAt", ledger_position as "ledgerPosition",
      snapshots.tokens, owner_count as "ownerCount",
      unassigned.owners as "unassignedOwners", unassigned.tokens as "unassignedTokens",
      (${givenToAll}) as given,
      (
        select jsonb_object_agg(stage_id, tokens) from (
          select stage_id, sum(tokens)::text as tokens from snapshot_leaves
          where snapshot = number group by stage_id
        ) as stage
      ) as stages
    from snapshots
    cross join lateral (
      select count(*)::integer as owners, coalesce(sum(tokens), 0) as tokens
      from snapshot_owners where snapshot = number and address is null
    ) as unassigned
    order by number desc limit 1`.execute(database)
  const [row] = rows
  if (row === undefined) return null
  const { unassignedOwners: owners, unassignedTokens, stages, ...snapshot } = row
  return {
    ...snapshot,
    unassigned: { owners, tokens: unassignedTokens },
    stages: readStages(stages),
  }
}

const readStages = (stages: Record<string, string> | null) =>
  Object.entries(stages ?? {}).map(([stageId, tokens]) => ({
    stageId,
    tokens: tokenAmount(BigInt(tokens)),
  }))

/** Owners of a snapshot whose tokens now go to a different wallet than the one in it. */
export async function countChangedWallets(
  database: Database,
  snapshot: number,
  { chainId, now }: { chainId: number; now: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from snapshot_owners as owner
    where owner.snapshot = ${snapshot} and owner.address is not null
      and lower(owner.address) <> lower(${effectiveWallet(sql`owner.user_id`, chainId, now)})
  `.execute(database)
  return rows[0]?.count ?? 0
}
