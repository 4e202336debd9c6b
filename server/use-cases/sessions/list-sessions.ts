import { deviceName } from '#domain/accounts/device.ts'
import { listUserSessions } from '#server/database/accounts/sessions.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

export type SessionSummary = {
  id: string
  startedAt: Date
  lastUsedAt: Date
  device: string
  address: string | null
  userAgent: string
  isCurrent: boolean
}

/** Where the caller is logged in, the latest used first. */
export async function listSessions(
  services: Services,
  userId: string,
  caller: Caller,
): Promise<SessionSummary[]> {
  requireSelf(caller, userId)
  const sessions = await listUserSessions(services.database, userId, services.clock.now())
  return sessions.map((session) => ({
    id: session.id,
    startedAt: session.started_at,
    lastUsedAt: session.last_used_at,
    device: deviceName(session.user_agent),
    address: session.address,
    userAgent: session.user_agent,
    isCurrent: session.id === caller.sessionId,
  }))
}
