import { sql } from 'kysely'
import { distributionTools } from '#domain/delivery/distribution.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
} from '#server/database/tables/tables.ts'

export type FollowedRow = Row<'distributions'>
export type EventRow = Row<'distribution_events'>
export type NewEvent = InsertedRow<'distribution_events'>
/** A row of a distribution's list; its address in lower case. */
export type ListedRow = { place: number; address: string; amount: bigint }

/** More pages than this are hardly ever open; the others ask when they are opened. */
const USERS_NOTIFIED_MAX = 10_000

/**
 * Tools that hand out on a chain that can be read; distributions of the others never change by
 * themselves.
 */
const watchedTools = distributionTools.filter((tool) => tool !== 'streamflow')

/** The published distributions, in the order in which they were made. */
export async function listPublished(database: Database): Promise<FollowedRow[]> {
  return await database
    .selectFrom('distributions')
    .selectAll()
    .where('state', '=', 'published')
    .where('tool', 'in', watchedTools)
    .orderBy('id')
    .execute()
}

/**
 * Those that are followed: the published ones, and then ended ones, since a chain can take back
 * what it showed, and a wallet can still send. An ended one is not read if another one is published
 * at the same contract: claims there belong to that one.
 */
export async function listFollowed(database: Database): Promise<FollowedRow[]> {
  const ended = await database
    .selectFrom('distributions')
    .selectAll()
    .where('state', 'in', ['closed', 'withdrawn'])
    .where('contract', 'is not', null)
    .where('tool', 'in', watchedTools)
    .where((where) =>
      where.or([
        where('root', 'is', null),
        where.not(
          where.exists(
            where
              .selectFrom('distributions as published')
              .select('published.id')
              .where('published.state', '=', 'published')
              .where('published.root', 'is not', null)
              .whereRef('published.chain_id', '=', 'distributions.chain_id')
              .where(sql<boolean>`lower(published.contract) = lower(distributions.contract)
                and published.campaign is not distinct from distributions.campaign`),
          ),
        ),
      ]),
    )
    .orderBy('id')
    .execute()
  return [...(await listPublished(database)), ...ended]
}

/** Locks a distribution; null if another instance has read on, or its state has changed. */
export async function lockFollowed(
  transaction: DatabaseTransaction,
  { id, state, read_height: height, read_hash: hash }: FollowedRow,
): Promise<FollowedRow | null> {
  const row = await transaction
    .selectFrom('distributions')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst()
  return row?.read_height === height && row.read_hash === hash ? row : null
}

/** Up to where a distribution has been read for good, and what its contract had left then. */
export async function updateRead(
  transaction: DatabaseTransaction,
  { id, remaining }: Pick<FollowedRow, 'id' | 'remaining'>,
  settled: { height: bigint; hash: string } | null,
): Promise<void> {
  const [read_height, read_hash] = [settled?.height ?? null, settled?.hash ?? null]
  await transaction
    .updateTable('distributions')
    .set({ read_height, read_hash, remaining })
    .where('id', '=', id)
    .execute()
}

/** The rows of a distribution with any of these addresses, which are in lower case. */
export async function findRows(
  database: Database,
  id: bigint,
  addresses: readonly string[],
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select place, lower(address) as address, amount from distribution_rows
    where distribution_id = ${id} and lower(address) = any (${arrayText(addresses)}::text[])
  `.execute(database)
  return rows
}

export type SameSender = {
  id: bigint
  address: string
  amount: bigint
  /** Whether what was seen for it adds up to its amount, in one transfer or in parts. */
  isPaid: boolean
  hasEnded: boolean
}

/** The rows of other distributions by the same sender with any of these addresses. */
export async function listOfSameSender(
  database: Database,
  { id, chain_id: chainId, token, contract }: FollowedRow,
  addresses: readonly string[],
): Promise<SameSender[]> {
  const { rows } = await sql<SameSender>`
    select other.id, lower(listed.address) as address, listed.amount, coalesce((
      select sum(event.amount) from distribution_events as event
      where event.distribution_id = other.id and event.place = listed.place
    ), 0) >= listed.amount as "isPaid", other.ended_at is not null as "hasEnded"
    from distributions as other
    join distribution_rows as listed on listed.distribution_id = other.id
    where other.id <> ${id} and other.contract is not null
      and other.chain_id = ${chainId} and lower(other.token) = lower(${token})
      and lower(other.contract) = lower(${contract})
      and lower(listed.address) = any (${arrayText(addresses)}::text[])`.execute(database)
  return rows
}

export type TakenLog = Pick<
  EventRow,
  'block_hash' | 'transaction_hash' | 'log_index' | 'receiver' | 'amount'
>

/**
 * The logs of these transactions that are recorded for other distributions. Logs that an ended one
 * got after its end are not included, so that an active one can have them.
 */
export async function listTakenLogs(
  database: Database,
  { id, ended_at: endedAt }: Pick<FollowedRow, 'id' | 'ended_at'>,
  hashes: readonly string[],
): Promise<TakenLog[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<TakenLog>`
    select event.block_hash, event.transaction_hash, event.log_index, event.receiver, event.amount
    from distribution_events as event
    where event.distribution_id <> ${id} and not (event.is_late and ${endedAt === null})
      and event.transaction_hash = any (${arrayText(hashes)}::text[])`.execute(database)
  return rows
}

/**
 * Takes logs from distributions that got them after their end: they belong to an active one.
 * Returns how many.
 */
export async function releaseLogs(
  transaction: DatabaseTransaction,
  id: bigint,
  logs: readonly Pick<NewEvent, 'transaction_hash' | 'log_index'>[],
): Promise<number> {
  if (logs.length === 0) return 0
  const { numAffectedRows } = await sql`
    delete from distribution_events as event
    using unnest(
      ${arrayText(logs.map(({ transaction_hash: hash }) => hash))}::text[],
      ${arrayText(logs.map(({ log_index: index }) => index))}::integer[]
    ) as taken (transaction_hash, log_index)
    where event.transaction_hash = taken.transaction_hash and event.log_index = taken.log_index
      and event.distribution_id <> ${id} and event.is_late`.execute(transaction)
  return Number(numAffectedRows ?? 0)
}

/** The events of a distribution after one height up to another. */
export async function listEvents(
  database: Database,
  id: bigint,
  after: bigint,
  through: bigint,
): Promise<EventRow[]> {
  return await database
    .selectFrom('distribution_events')
    .selectAll()
    .where('distribution_id', '=', id)
    .where('block_height', '>', after)
    .where('block_height', '<=', through)
    .orderBy('block_height')
    .orderBy('log_index')
    .execute()
}

/** The events of rows that are recorded up to a height, and are not read again. */
export async function listEventsOf(
  database: Database,
  id: bigint,
  places: readonly number[],
  through: bigint,
): Promise<EventRow[]> {
  if (places.length === 0) return []
  return await database
    .selectFrom('distribution_events')
    .selectAll()
    .where('distribution_id', '=', id)
    .where((where) => where('place', '=', sql<number>`any (${arrayText(places)}::integer[])`))
    .where('block_height', '<=', through)
    .execute()
}

/** Replaces what was recorded of those blocks with what a reading found. */
export async function replaceEvents(
  transaction: DatabaseTransaction,
  id: bigint,
  { after, through }: { after: bigint; through: bigint },
  events: readonly NewEvent[],
): Promise<void> {
  await transaction
    .deleteFrom('distribution_events')
    .where('distribution_id', '=', id)
    .where('block_height', '>', after)
    .where('block_height', '<=', through)
    .execute()
  for (let from = 0; from < events.length; from += EVENTS_A_STATEMENT) {
    await transaction
      .insertInto('distribution_events')
      .values(events.slice(from, from + EVENTS_A_STATEMENT))
      .execute()
  }
}

const EVENTS_A_STATEMENT = 1_000

export type Outflow = {
  /** How much was swept up to where the chain was read for good. */
  swept: bigint
  /** Whether anything left the contract without anybody knowing for whom. */
  hasUnknown: boolean
}

/** What left a distribution's contract for none of its rows. */
export async function findOutflow(database: Database, id: bigint): Promise<Outflow> {
  const { rows } = await sql<{ swept: string; has_unknown: boolean }>`
    select coalesce(sum(event.amount) filter (
        where event.kind = 'swept' and event.block_height <= distributions.read_height
      ), 0) as swept,
      coalesce(bool_or(event.kind = 'unknown'), false) as has_unknown
    from distribution_events as event
    join distributions on distributions.id = event.distribution_id
    where event.distribution_id = ${id} and event.place is null`.execute(database)
  const [found] = rows
  return { swept: BigInt(found?.swept ?? 0), hasUnknown: found?.has_unknown === true }
}

/** The users who own these rows. */
export async function listUsersOf(
  database: Database,
  id: bigint,
  places: readonly number[],
): Promise<string[]> {
  if (places.length === 0) return []
  const rows = await database
    .selectFrom('distribution_parts')
    .select('user_id')
    .where('distribution_id', '=', id)
    .where((where) => where('place', '=', sql<number>`any (${arrayText(places)}::integer[])`))
    .execute()
  return rows.map(({ user_id: userId }) => userId)
}

/** Notifies users, when the transaction commits, that what is delivered to them has changed. */
export async function notifyUsers(database: Database, userIds: readonly string[]): Promise<void> {
  const some = [...new Set(userIds)].slice(0, USERS_NOTIFIED_MAX)
  await notifyLive(
    database,
    some.map((userId) => ({ kind: 'delivery_changed', userId })),
  )
}

/**
 * Notifies everybody who has a part of a distribution, for example after it was published or
 * withdrawn.
 */
export async function notifyDeliveries(
  transaction: DatabaseTransaction,
  distributionId: bigint,
): Promise<void> {
  const rows = await transaction
    .selectFrom('distribution_parts')
    .select('user_id')
    .where('distribution_id', '=', distributionId)
    .limit(USERS_NOTIFIED_MAX)
    .execute()
  await notifyUsers(
    transaction,
    rows.map(({ user_id: userId }) => userId),
  )
}
