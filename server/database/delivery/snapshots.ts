import { type RawBuilder, sql } from 'kysely'

import type { TokenAmount } from '#domain/money.ts'
import { noteSubjects } from '#server/database/books/unchecked.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'
import { effectiveWallet } from './effective-wallet.ts'
import type { OwnedLeaf } from './owned-tokens.ts'

export type SnapshotRow = Row<'snapshots'>

/** All of them, the first one first. */
export async function listSnapshots(database: Database): Promise<SnapshotRow[]> {
  return await database.selectFrom('snapshots').selectAll().orderBy('number').execute()
}

/** The current one; null before the books are closed. */
export async function findLastSnapshot(database: Database): Promise<SnapshotRow | null> {
  const row = await database
    .selectFrom('snapshots')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Begins to write a snapshot. If somebody else is writing the same number, this waits; false if
 * they have written it.
 */
export async function insertSnapshot(
  transaction: DatabaseTransaction,
  snapshot: SnapshotRow,
): Promise<boolean> {
  const row = await transaction
    .insertInto('snapshots')
    .values(snapshot)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning('number')
    .executeTakeFirst()
  return row !== undefined
}

export type NewLeaf = OwnedLeaf & { salt: Uint8Array; treeIndex: number }

/** As many as one statement takes well within its time. */
const ROWS_AT_ONCE = 5_000

export async function insertLeaves(
  transaction: DatabaseTransaction,
  number: number,
  leaves: readonly NewLeaf[],
): Promise<void> {
  await sql`
    insert into snapshot_leaves (snapshot, cause_id, user_id, stage_id, tokens, salt, tree_index)
    select ${number}::integer, each.* from unnest(
      ${arrayText(leaves.map(({ causeId }) => causeId))}::uuid[],
      ${arrayText(leaves.map(({ userId }) => userId))}::uuid[],
      ${arrayText(leaves.map(({ stageId }) => stageId))}::text[],
      ${arrayText(leaves.map(({ tokens }) => tokens))}::numeric[],
      ${arrayText(leaves.map(({ salt }) => salt))}::bytea[],
      ${arrayText(leaves.map(({ treeIndex }) => treeIndex))}::integer[]
    ) as each`.execute(transaction)
}

/**
 * Writes the owners of the leaves, once all of these are written, each with the wallet in effect.
 * Returns how many there are.
 */
export async function insertOwners(
  transaction: DatabaseTransaction,
  number: number,
  { chainId, now }: { chainId: number | null; now: Date },
): Promise<number> {
  let count = 0
  for (let after: string | null = null; ;) {
    const page: { count: number; last: string | null } = await insertSomeOwners(transaction, {
      number,
      after,
      address: effectiveWallet(sql`page.user_id`, chainId, now),
    })
    count += page.count
    if (page.last === null) return count
    after = page.last
  }
}

/** For the next users who ever had tokens: the statistics of the ledger are a day old. */
async function insertSomeOwners(
  transaction: DatabaseTransaction,
  {
    number,
    after,
    address,
  }: { number: number; after: string | null; address: RawBuilder<string | null> },
): Promise<{ count: number; last: string | null }> {
  const beyond = after === null ? sql`true` : sql`user_id > ${after}`
  const { rows } = await sql<{ count: number; last: string | null }>`
    with page as materialized (
      select distinct user_id from ledger_transfers where user_id is not null and ${beyond}
      order by user_id limit ${ROWS_AT_ONCE}
    ), written as (
      insert into snapshot_owners (snapshot, user_id, tokens, address)
      select ${number}::integer, page.user_id, owned.tokens, ${address}
      from page cross join lateral (
        select sum(tokens) as tokens from snapshot_leaves as leaf
        where leaf.user_id = page.user_id and leaf.snapshot = ${number}
      ) as owned
      where owned.tokens is not null
      returning user_id
    )
    select (select count(*)::integer from written) as count,
      (select user_id from page order by user_id desc limit 1) as last`.execute(transaction)
  return rows[0] ?? { count: 0, last: null }
}

/** Has the next check of the books examine a snapshot as a whole. */
export async function noteSnapshot(
  transaction: DatabaseTransaction,
  number: number,
): Promise<void> {
  await noteSubjects(transaction, [{ kind: 'snapshot', subject: String(number) }])
}

/** What one user has in a snapshot for a purchase or a reward. */
export type OwnLeaf = {
  causeId: string
  tokens: TokenAmount
  salt: Uint8Array
  treeIndex: number
}

/** A user's leaves by the ids of their causes, from one on, inclusive, or the leaf of one cause. */
export async function listOwnLeaves(
  database: Database,
  wanted: {
    number: number
    userId: string
    causeId: string | null
    after: string | null
    countMax: number
  },
): Promise<OwnLeaf[]> {
  const { number, userId, causeId, after, countMax } = wanted
  const { rows } = await sql<OwnLeaf>`
    select cause_id as "causeId", tokens, salt, tree_index as "treeIndex" from snapshot_leaves
    where user_id = ${userId} and snapshot = ${number}
      and (${causeId}::uuid is null or cause_id = ${causeId}::uuid)
      and (${after}::uuid is null or cause_id >= ${after}::uuid)
    order by cause_id
    limit ${countMax}`.execute(database)
  return rows
}
