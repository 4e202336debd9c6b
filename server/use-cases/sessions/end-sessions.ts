import { endUserSessions } from '#server/database/accounts/sessions.ts'
import type { Caller, Services } from '#server/services.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

/** Logs the caller out everywhere, here as well. */
export async function endSessions(
  services: Services,
  userId: string,
  caller: Caller,
): Promise<void> {
  requireSelf(caller, userId)
  await services.database
    .transaction()
    .execute((transaction) => endUserSessions(transaction, userId, services.clock.now()))
}
