import { Refusal } from '#domain/refusal.ts'
import { updateUserFields, type UserChanges } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  loadUserAccount,
  requireSelf,
  requireVerifiedEmail,
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
  return loadUserAccount(services, caller.userId)
}

/** Changes the fields that are given, and no other. */
export async function updateUser(
  services: Services,
  input: { userId: string; changes: UserChanges },
  caller: Caller,
): Promise<UserAccount> {
  requireSelf(caller, input.userId)
  const user = await updateUserFields(services.database, caller.userId, {
    ...input.changes,
    firstName: input.changes.firstName?.trim(),
    lastName: input.changes.lastName?.trim(),
  })
  if (user === null) throw new Refusal('Unauthenticated')
  return loadUserAccount(services, user.id)
}
