import { Refusal } from '#domain/refusal.ts'
import { updateUserFields, type UserChanges } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  loadUserAccount,
  requireSelf,
  requireVerifiedEmail,
  type StoredAccount,
} from '#server/use-cases/access/user-account.ts'

/** The caller's own account. */
export async function getUser(services: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  requireVerifiedEmail(services, caller)
  return loadUserAccount(services, caller.userId)
}

export async function updateUser(
  services: Services,
  input: { userId: string; changes: UserChanges },
  caller: Caller,
): Promise<StoredAccount> {
  requireSelf(caller, input.userId)
  const user = await updateUserFields(services.database, caller.userId, {
    ...input.changes,
    first_name: input.changes.first_name?.trim(),
    last_name: input.changes.last_name?.trim(),
  })
  if (user === null) throw new Refusal('Unauthenticated')
  return loadUserAccount(services, user.id)
}
