import { sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import type { ToolSchedule } from '#domain/delivery/tool-schedule.ts'
import type { TokenAmount } from '#domain/money.ts'
import { noteSubjects } from '#server/database/books/unchecked.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
  RowChanges,
} from '#server/database/tables/tables.ts'

export type StoredDistribution = Row<'distributions'>
export type StoredFile = Row<'distribution_files'>

/** How many rows one statement writes or reads. */
export const ROWS_AT_ONCE = 2_000
/** The transaction that makes a distribution is idle while its tree is built. */
const MAKING_MAX_MS = 300_000

/** If two are made at once, one waits here for the other: each counts what the other has given. */
export async function lockDistributions(transaction: DatabaseTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('distributions'))`.execute(transaction)
}

/**
 * The same for callers that can come back later. False while a distribution is being made, which
 * reads twice what the others have given: nothing that affects this may change in between.
 */
export async function tryLockDistributions(transaction: DatabaseTransaction): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('distributions')) as is_locked`.execute(transaction)
  return rows[0]?.is_locked === true
}

/** Lets the transaction be idle while a thread builds the tree of a million wallets. */
export async function allowSlowMaking(transaction: DatabaseTransaction): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(MAKING_MAX_MS)}, true)`.execute(
    transaction,
  )
}

export async function insertDistribution(
  transaction: DatabaseTransaction,
  row: InsertedRow<'distributions'>,
): Promise<bigint> {
  const { id } = await transaction
    .insertInto('distributions')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteSubjects(transaction, [{ kind: 'distribution', subject: String(id) }])
  return id
}

export type NewRow = {
  place: number
  address: string
  tokens: TokenAmount
  amount: bigint
  treeIndex: number | null
  parts: readonly { userId: string; tokens: TokenAmount }[]
}

export async function insertRows(
  transaction: DatabaseTransaction,
  id: bigint,
  rows: readonly NewRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into distribution_rows (distribution_id, place, address, tokens, amount, tree_index)
    select ${id}::bigint, * from unnest(
      ${arrayText(rows.map(({ place }) => place))}::integer[],
      ${arrayText(rows.map(({ address }) => address))}::text[],
      ${arrayText(rows.map(({ tokens }) => tokens))}::numeric[],
      ${arrayText(rows.map(({ amount }) => amount))}::numeric[],
      ${arrayText(rows.map(({ treeIndex }) => treeIndex))}::integer[]
    )`.execute(transaction)
  const parts = rows.flatMap(({ place, parts: theirs }) =>
    theirs.map((part) => ({ ...part, place })),
  )
  await sql`
    insert into distribution_parts (distribution_id, place, user_id, tokens)
    select ${id}::bigint, * from unnest(
      ${arrayText(parts.map(({ place }) => place))}::integer[],
      ${arrayText(parts.map(({ userId }) => userId))}::uuid[],
      ${arrayText(parts.map(({ tokens }) => tokens))}::numeric[]
    )`.execute(transaction)
}

export async function insertFiles(
  transaction: DatabaseTransaction,
  files: readonly InsertedRow<'distribution_files'>[],
): Promise<void> {
  for (let from = 0; from < files.length; from += ROWS_AT_ONCE) {
    const part = files.slice(from, from + ROWS_AT_ONCE)
    await transaction.insertInto('distribution_files').values(part).execute()
  }
}

export async function findDistribution(database: Database, id: bigint) {
  return await findRow(database, 'distributions', { id })
}

export async function lockDistributionRow(transaction: DatabaseTransaction, id: bigint) {
  return await findRow(transaction, 'distributions', { id }, 'for no key update')
}

export async function updateDistribution(
  transaction: DatabaseTransaction,
  id: bigint,
  change: RowChanges<'distributions'>,
): Promise<void> {
  await transaction.updateTable('distributions').set(change).where('id', '=', id).execute()
}

/** The newest first. */
export async function listDistributionRows(
  database: Database,
  { startId, countMax }: { startId: bigint | null; countMax: number },
): Promise<StoredDistribution[]> {
  let query = database.selectFrom('distributions').selectAll().orderBy('id', 'desc')
  if (startId !== null) query = query.where('id', '<=', startId)
  return await query.limit(countMax).execute()
}

/** The schedules of those that release over time, by their ids. */
export async function findSchedules(database: Database): Promise<Map<string, ToolSchedule>> {
  const rows = await database
    .selectFrom('distributions')
    .select(['id', 'schedule'])
    .where('schedule', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ id, schedule }) => (schedule ? [[String(id), schedule]] : [])))
}

/** Whether any is not withdrawn, of tools that release over time or of those that do not. */
export async function hasUnwithdrawn(
  database: Database,
  tools: readonly DistributionTool[],
): Promise<boolean> {
  const row = await database
    .selectFrom('distributions')
    .select('id')
    .where('state', '<>', 'withdrawn')
    .where('tool', 'in', tools)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The distribution that is published at a contract, or as a campaign of it, with a tree. */
export async function findPublishedAt(
  database: Database,
  chainId: bigint,
  { contract, campaign }: { contract: string; campaign: string | null },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    select id from distributions
    where chain_id = ${chainId} and lower(contract) = lower(${contract})
      and campaign is not distinct from ${campaign} and state = 'published' and root is not null`.execute(
    database,
  )
  return rows[0]?.id ?? null
}

/** Whether the chain shows anything of it: claimed, sent, or swept. */
export async function hasEvents(database: Database, id: bigint): Promise<boolean> {
  const row = await database
    .selectFrom('distribution_events')
    .select('transaction_hash')
    .where('distribution_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether anybody was given one of its files. */
export async function wasDownloaded(database: Database, id: bigint): Promise<boolean> {
  const row = await database
    .selectFrom('operator_actions')
    .select('id')
    .where('act', '=', 'getDistributionFile')
    .where(sql<boolean>`details ->> 'distribution_id' = ${String(id)}`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listFiles(database: Database, id: bigint): Promise<StoredFile[]> {
  return await database
    .selectFrom('distribution_files')
    .selectAll()
    .where('distribution_id', '=', id)
    .orderBy('place')
    .execute()
}

export type StoredRow = Omit<Row<'distribution_rows'>, 'distribution_id'>

/** Rows from a place on, in batches. They never change, so each batch may be a separate read. */
export async function* readRows(
  database: Database,
  id: bigint,
  { from, count }: { from: number; count: number },
): AsyncGenerator<StoredRow[]> {
  for (let place = from; place < from + count; place += ROWS_AT_ONCE) {
    const until = Math.min(place + ROWS_AT_ONCE, from + count)
    yield await database
      .selectFrom('distribution_rows')
      .select(['place', 'address', 'tokens', 'amount', 'tree_index'])
      .where('distribution_id', '=', id)
      .where('place', '>=', place)
      .where('place', '<', until)
      .orderBy('place')
      .execute()
  }
}
