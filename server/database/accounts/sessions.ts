import { sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import { invariant } from '#domain/invariant.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import type {
  Database,
  DatabaseTransaction,
  NamedStatements,
  Row,
} from '#server/database/tables/tables.ts'

export type SessionRow = Row<'sessions'>

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

export type SessionStart = 'started' | 'wrong_credentials' | 'two_factor_required'

/**
 * Starts a session of a user whose password was just checked, remembers where it was started from,
 * and mails a user who has logged in before, but not from there; of all places, only the
 * `placesMax` most recently used ones stay. One statement, so that a login needs no transaction.
 */
export async function insertSession(
  statements: NamedStatements,
  session: NewSession,
  { placeHash, networkHash }: LoginLocation,
  given: { passwordHash: string; isProved: boolean; placesMax: number },
): Promise<SessionStart> {
  const [row] = await statements.runNamed<{ outcome: SessionStart }>(
    'start_session',
    START_SESSION,
    [
      session.id,
      session.user_id,
      given.passwordHash,
      given.isProved,
      session.salt,
      session.generation,
      session.access_token_hash,
      session.access_expires_at,
      session.refresh_token_hash,
      session.refresh_expires_at,
      session.started_at,
      session.user_agent,
      session.address,
      placeHash,
      networkHash,
      given.placesMax,
    ],
  )
  invariant(row !== undefined, 'start_session has an outcome')
  return row.outcome
}

const parameters = Array.from({ length: 16 }, (_, at) => `$${at + 1}`)
const START_SESSION = `select start_session(${parameters.join(', ')}) as outcome`

export type LoginLocation = { placeHash: Uint8Array; networkHash: Uint8Array }

/** An open session, with what a call may need to know about its user. */
export type OpenSession = Pick<SessionRow, 'id' | 'user_id' | 'access_token_hash'> &
  Pick<Row<'users'>, 'created_at' | 'is_email_verified' | 'requires_password_change'>

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
export async function lockSession(transaction: DatabaseTransaction, sessionId: string) {
  return await findRow(transaction, 'sessions', { id: sessionId }, 'for update')
}

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
export async function findSession(database: Database, sessionId: string) {
  return await findRow(database, 'sessions', { id: sessionId })
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
