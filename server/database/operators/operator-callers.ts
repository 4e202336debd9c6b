import { sql } from 'kysely'

import type { Permission, Role } from '#domain/operators/permissions.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** How stale `last_used_at` may be: updating it at each call would add a write to every read. */
const USE_IS_NOTED_EVERY_MS = 30_000

export type SessionOfOperator = {
  sessionId: string
  operatorId: string
  name: string
  role: Role
}

/**
 * The owner of the open session with this token hash; also notes that it is used. Null if it has
 * ended or expired, was not used for `idleMs`, or its operator was removed.
 */
export async function touchOperatorSession(
  database: Database,
  tokenHash: Uint8Array,
  { now, idleMs }: { now: Date; idleMs: number },
): Promise<SessionOfOperator | null> {
  const row = await database
    .selectFrom('operator_sessions as session')
    .innerJoin('operators as operator', 'operator.id', 'session.operator_id')
    .select(['session.id as sessionId', 'operator_id as operatorId', 'name', 'role'])
    .select('last_used_at as lastUsedAt')
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - idleMs))
    .executeTakeFirst()
  if (row === undefined) return null
  const { lastUsedAt, ...session } = row
  if (now.getTime() - lastUsedAt.getTime() > USE_IS_NOTED_EVERY_MS) {
    await database
      .updateTable('operator_sessions')
      .set({ last_used_at: sql`greatest(last_used_at, ${now})` })
      .where('id', '=', session.sessionId)
      .execute()
  }
  return session
}

export type FoundKey = {
  id: string
  name: string
  permissions: readonly Permission[]
  /** The present role of its maker; null if it was made with the server's token. */
  makerRole: Role | null
}

/**
 * The key with this hash; also notes that it is used. Null if it has ended or expired, or its maker
 * was removed.
 */
export async function touchApiKey(
  database: Database,
  keyHash: Uint8Array,
  now: Date,
): Promise<FoundKey | null> {
  const row = await database
    .selectFrom('api_keys as key')
    .leftJoin('operators as maker', 'maker.id', 'key.created_by')
    .select(['key.id', 'key.name', 'permissions', 'maker.role as makerRole'])
    .select('last_used_at as lastUsedAt')
    .where('key_hash', '=', keyHash)
    .where('ended_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return null
  const { lastUsedAt, ...key } = row
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > USE_IS_NOTED_EVERY_MS) {
    await database
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', key.id)
      .execute()
  }
  return key
}
