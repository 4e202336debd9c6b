import { findRow } from '#server/database/tables/rows.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { Database, Row } from '#server/database/tables/tables.ts'

export type OperatorSessionRow = Row<'operator_sessions'>

export type OperatorInSession = {
  id: string
  email: string
  name: string
  role: Role
  sessionExpiresAt: Date
}

export async function insertOperatorSession(
  database: Database,
  session: Omit<OperatorSessionRow, 'ended_at'>,
): Promise<void> {
  await database
    .insertInto('operator_sessions')
    .values({ ...session, ended_at: null })
    .execute()
}

/** A session, open or not. */
export async function findOperatorSession(database: Database, id: string) {
  return await findRow(database, 'operator_sessions', { id })
}

export async function findOperatorInSession(
  database: Database,
  sessionId: string,
): Promise<OperatorInSession | null> {
  const row = await database
    .selectFrom('operator_sessions as session')
    .innerJoin('operators as operator', 'operator.id', 'session.operator_id')
    .select(['operator.id', 'email', 'name', 'role', 'expires_at as sessionExpiresAt'])
    .where('session.id', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** An operator's open sessions, most recently used first. */
export async function listOpenOperatorSessions(
  database: Database,
  operatorId: string,
  { now, idleMs }: { now: Date; idleMs: number },
): Promise<OperatorSessionRow[]> {
  return await database
    .selectFrom('operator_sessions')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - idleMs))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends a session; false if it is not that operator's, or has ended. */
export async function endOperatorSession(
  database: Database,
  { id, operatorId, now }: { id: string; operatorId: string; now: Date },
): Promise<boolean> {
  const row = await database
    .updateTable('operator_sessions')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function endOperatorSessions(
  database: Database,
  operatorId: string,
  now: Date,
  keptId: string | null = null,
): Promise<void> {
  let query = database
    .updateTable('operator_sessions')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
  if (keptId !== null) query = query.where('id', '<>', keptId)
  await query.execute()
}

/**
 * Deletes sessions that ended long ago. The one that each operator used last stays for as long as
 * they are one: others see by it when they were last here.
 */
export async function deleteEndedOperatorSessions(
  database: Database,
  endedBefore: Date,
): Promise<void> {
  await database
    .deleteFrom('operator_sessions')
    .where(({ or, eb }) =>
      or([eb('ended_at', '<', endedBefore), eb('expires_at', '<', endedBefore)]),
    )
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('operator_sessions as later')
            .select('later.id')
            .whereRef('later.operator_id', '=', 'operator_sessions.operator_id')
            .whereRef('later.last_used_at', '>', 'operator_sessions.last_used_at'),
        ),
        exists(
          selectFrom('operators')
            .select('operators.id')
            .whereRef('operators.id', '=', 'operator_sessions.operator_id')
            .where('removed_at', 'is not', null),
        ),
      ]),
    )
    .execute()
}
