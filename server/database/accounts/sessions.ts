import { type Selectable, sql } from 'kysely'

import type { AccountTables } from '#server/database/tables/account-tables.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type SessionRow = Selectable<AccountTables['sessions']>

/** What changes with each refresh. */
export type SessionTokenColumns = Pick<
  SessionRow,
  | 'generation'
  | 'access_token_hash'
  | 'access_expires_at'
  | 'refresh_token_hash'
  | 'refresh_expires_at'
>

export type NewSession = SessionTokenColumns &
  Pick<SessionRow, 'id' | 'user_id' | 'salt' | 'started_at' | 'user_agent' | 'address'>

/**
 * Starts a session and remembers where it was started from, in one statement; of all places, only
 * the `keptMax` most recently used ones stay. Null if two-factor login is on and was not proved.
 * `isNewPlace` is true if the user has logged in before, but not from there. Hold the user first,
 * so that this sees what others have just changed.
 */
export async function insertSession(
  transaction: DatabaseTransaction,
  session: NewSession,
  { placeHash, networkHash }: LoginLocation,
  { keptMax, isProved }: { keptMax: number; isProved: boolean },
): Promise<{ isNewPlace: boolean } | null> {
  const { user_id: userId, started_at: now } = session
  const { rows } = await sql<{ is_new: boolean }>`
    with started as (
      insert into sessions (
        id, user_id, salt, generation, access_token_hash, access_expires_at, refresh_token_hash,
        refresh_expires_at, started_at, last_used_at, user_agent, address
      )
      select
        ${session.id}::uuid, ${userId}::uuid, ${session.salt}::bytea, ${session.generation}::integer,
        ${session.access_token_hash}::bytea, ${session.access_expires_at}::timestamptz,
        ${session.refresh_token_hash}::bytea, ${session.refresh_expires_at}::timestamptz,
        ${now}::timestamptz, ${now}::timestamptz, ${session.user_agent}::text,
        ${session.address}::text
      where ${isProved}::boolean or not exists (
        select from two_factors where user_id = ${userId} and confirmed_at is not null
      )
      returning user_id
    ), others as (
      select place_hash, row_number() over (order by last_used_at desc) as nth
      from login_places where user_id = ${userId} and place_hash <> ${placeHash}
    ), remembered as (
      insert into login_places (user_id, place_hash, network_hash, first_used_at, last_used_at)
      select user_id, ${placeHash}::bytea, ${networkHash}::bytea, ${now}::timestamptz,
        ${now}::timestamptz
      from started
      on conflict (user_id, place_hash) do update set last_used_at = excluded.last_used_at
      -- Only a row that was there before was updated by a transaction.
      returning xmax = 0 as is_inserted
    ), forgotten as (
      delete from login_places using others, started
      where login_places.user_id = started.user_id
        and login_places.place_hash = others.place_hash and others.nth >= ${keptMax}
    )
    select is_inserted and exists (select from others) as is_new from remembered`.execute(
    transaction,
  )
  return rows[0] === undefined ? null : { isNewPlace: rows[0].is_new }
}

export type LoginLocation = { placeHash: Uint8Array; networkHash: Uint8Array }

/** An open session, with what a call may need to know about its user. */
export type OpenSession = Pick<SessionRow, 'id' | 'user_id' | 'access_token_hash'> &
  Pick<
    Selectable<AccountTables['users']>,
    'created_at' | 'is_email_verified' | 'requires_password_change'
  >

/**
 * This runs at every call with a login, so it is prepared once: planning it for each number of
 * tokens took longer than running it.
 */
const OPEN_SESSIONS = `
  select
    sessions.id, sessions.user_id, sessions.access_token_hash,
    users.created_at, users.is_email_verified, users.requires_password_change
  from sessions join users on users.id = sessions.user_id
  where sessions.access_token_hash = any ($1::bytea[])
    and sessions.access_expires_at > $2
    and sessions.ended_at is null
    and users.erased_at is null`

/** The open sessions of the access tokens with these hashes, in any order. */
export async function listOpenSessions(
  open: Pick<OpenDatabase, 'runNamed'>,
  accessTokenHashes: readonly Uint8Array[],
  now: Date,
): Promise<OpenSession[]> {
  return await open.runNamed<OpenSession>('open_sessions', OPEN_SESSIONS, [accessTokenHashes, now])
}

/** The session, ended or not, locked until the transaction ends. */
export async function lockSession(
  transaction: DatabaseTransaction,
  sessionId: string,
): Promise<SessionRow | null> {
  const row = await transaction
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Replaces the tokens of a session that were just used. */
export async function updateSessionTokens(
  transaction: DatabaseTransaction,
  sessionId: string,
  tokens: SessionTokenColumns & Pick<SessionRow, 'address'>,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({
      ...tokens,
      previously_refreshed_at: sql.ref('refreshed_at'),
      refreshed_at: now,
      last_used_at: now,
    })
    .where('id', '=', sessionId)
    .execute()
}

/** A session, open or ended; null if there is none. */
export async function findSession(
  database: Database,
  sessionId: string,
): Promise<SessionRow | null> {
  const row = await database
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** False if the user has no such open session. */
export async function endUserSession(
  database: Database,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const row = await database
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every session of the user, except `keptSessionId` if given. */
export async function endUserSessions(
  transaction: DatabaseTransaction,
  userId: string,
  now: Date,
  keptSessionId?: string,
): Promise<void> {
  let update = transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (keptSessionId !== undefined) update = update.where('id', '<>', keptSessionId)
  await update.execute()
}

/** The sessions that can still be used, most recently used first. */
export async function listUserSessions(
  database: Database,
  userId: string,
  now: Date,
): Promise<SessionRow[]> {
  return database
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('refresh_expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()
}
