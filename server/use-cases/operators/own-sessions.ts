import { Refusal } from '#domain/refusal.ts'
import {
  endOperatorSession,
  listOpenOperatorSessions,
} from '#server/database/operators/operator-sessions.ts'
import { listSecurityEvents as listRows } from '#server/database/operators/security-events.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { type Operator, SESSION_IDLE_MS } from '#server/use-cases/access/operator.ts'
import { noteSecurityEvent } from './note-security-event.ts'
import { requireOwn } from './own-account.ts'

/** Where the caller is signed in, most recently used first. */
export async function listOwnSessions(services: Services, operator: Operator) {
  const { row, sessionId } = await requireOwn(services, operator)
  const sessions = await listOpenOperatorSessions(services.database, row.id, {
    now: services.clock.now(),
    idleMs: SESSION_IDLE_MS,
  })
  return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionId }))
}

/** Ends the caller's session. Safe to repeat. */
export async function signOut(
  { database, clock }: Services,
  { id: operatorId, sessionId: id }: Operator,
) {
  if (id === null || operatorId === null) return
  await endOperatorSession(database, { id, operatorId, now: clock.now() })
}

/** Ends one of the caller's sessions. */
export async function endSessionById(
  services: Services,
  id: string,
  operator: Operator,
  client: Client,
): Promise<void> {
  const { row } = await requireOwn(services, operator)
  const now = services.clock.now()
  await services.database.transaction().execute(async (transaction) => {
    const isEnded =
      isId(id) && (await endOperatorSession(transaction, { id, operatorId: row.id, now }))
    if (!isEnded) throw new Refusal('NotFound')
    const event = { operatorId: row.id, kind: 'session_ended' } as const
    await noteSecurityEvent(services, transaction, event, client)
  })
}

/** What happened to how the caller signs in, newest first. */
export async function listSecurityEvents(
  services: Services,
  { after, limit }: { after: bigint | null; limit: number },
  operator: Operator,
) {
  const { row } = await requireOwn(services, operator)
  const rows = await listRows(services.database, {
    operatorId: row.id,
    from: after,
    limit: limit + 1,
  })
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}
