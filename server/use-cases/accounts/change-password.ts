import { Refusal } from '#domain/refusal.ts'
import { closeUserLinks } from '#server/database/accounts/links.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { endUserSessions } from '#server/database/accounts/sessions.ts'
import { updatePassword } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { getOwnUser, requirePassword, samePassword } from '#server/use-cases/access/user-account.ts'

/**
 * Sets a new password, ends all other sessions of the user, voids mailed reset links, and mails the
 * user. Refuses with `WrongPassword`, `Busy`, `TooManyRequests`, and with `InvalidInput` if the new
 * password equals the current one.
 */
export async function changePassword(
  services: Services,
  input: { currentPassword: string; password: string },
  caller: Caller,
): Promise<void> {
  const user = await getOwnUser(services, caller)
  await requirePassword(services, user, input.currentPassword)
  if (input.password === input.currentPassword) throw samePassword()
  const passwordHash = await services.passwords.hash(input.password)
  const now = services.clock.now()
  await services.database.transaction().execute(async (transaction) => {
    // A reset may have happened meanwhile: this change would undo it, perhaps for a thief.
    if (!(await updatePassword(transaction, user.id, passwordHash, user.password_hash))) {
      throw new Refusal('WrongPassword')
    }
    await closeUserLinks(transaction, user.id, 'reset_password', now)
    await endUserSessions(transaction, user.id, now, caller.sessionId)
    await enqueueMail(transaction, { userId: user.id, kind: 'password_changed', at: now })
  })
}
