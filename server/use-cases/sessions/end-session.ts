import { Refusal } from '#domain/refusal.ts'
import { endUserSession } from '#server/database/accounts/sessions.ts'
import type { Caller, Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

/** Ends one of the caller's sessions. Refuses with `NotFound`. */
export async function endSession(
  services: Services,
  input: { userId: string; sessionId: string },
  caller: Caller,
): Promise<void> {
  requireSelf(caller, input.userId)
  if (!isId(input.sessionId)) throw new Refusal('NotFound')
  const now = services.clock.now()
  if (!(await endUserSession(services.database, caller.userId, input.sessionId, now))) {
    throw new Refusal('NotFound')
  }
}
