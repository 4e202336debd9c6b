import { endUserSession } from '#server/database/accounts/sessions.ts'
import type { Caller, Services } from '#server/services.ts'

/** Ends the session that makes the call; its tokens are refused from now on. */
export async function logOut(services: Services, caller: Caller): Promise<void> {
  const now = services.clock.now()
  await endUserSession(services.database, caller.userId, caller.sessionId, now)
}
