import { Refusal } from '#domain/refusal.ts'
import {
  endUserSession,
  endUserSessions,
  listUserSessions,
} from '#server/database/accounts/sessions.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

/** Where the caller is logged in, most recently used first. */
export async function listSessions(services: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  const sessions = await listUserSessions(services.database, userId, services.clock.now())
  return sessions.map((session) => ({ ...session, isCurrent: session.id === caller.sessionId }))
}

/** Ends the session of the call; its tokens are refused from now on. */
export async function logOut({ clock, database }: Services, caller: Caller): Promise<void> {
  await endUserSession(database, caller.userId, caller.sessionId, clock.now())
}

/** Ends one of the caller's sessions. */
export async function endSession(
  { clock, database }: Services,
  input: { userId: string; sessionId: string },
  caller: Caller,
): Promise<void> {
  requireSelf(caller, input.userId)
  if (!isId(input.sessionId)) throw new Refusal('NotFound')
  if (!(await endUserSession(database, caller.userId, input.sessionId, clock.now()))) {
    throw new Refusal('NotFound')
  }
}

/** Logs the caller out everywhere, including here. */
export async function endSessions({ clock, database }: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  await database
    .transaction()
    .execute((transaction) => endUserSessions(transaction, userId, clock.now()))
}
