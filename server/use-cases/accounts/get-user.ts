import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  getOwnUser,
  loadUserAccount,
  requireVerifiedEmail,
  requireSelf,
  type UserAccount,
} from '#server/use-cases/access/user-account.ts'

/** The caller's own account. Refuses with `EmailNotVerified`. */
export async function getUser(
  services: Services,
  userId: string,
  caller: Caller,
): Promise<UserAccount> {
  requireSelf(caller, userId)
  requireVerifiedEmail(services, caller)
  return loadUserAccount(services, await getOwnUser(services, caller))
}
