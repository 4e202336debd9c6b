import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { closeLink, findOpenLink } from '#server/database/accounts/links.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { endUserSessions } from '#server/database/accounts/sessions.ts'
import { findUser, lockUser, updatePassword } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { samePassword } from '#server/use-cases/access/require-password.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

/**
 * Sets a new password by a mailed link, ends every session of the user and tells the user by mail.
 * Refuses with `LinkInvalid`, `Busy`, `TooManyRequests`, and with `InvalidInput` where another
 * password is asked for and this is the current one: then the link stays good.
 */
export async function resetPassword(
  services: Services,
  input: { token: string; password: string },
  client: Client,
): Promise<void> {
  await services.limits.take('link_by_address', connectionOf(client.address))
  const now = services.clock.now()
  const tokenHash = hashToken(input.token)
  const link = await findOpenLink(services.database, 'reset_password', tokenHash, now)
  if (link === null) throw new Refusal('LinkInvalid')

  const holder = await findUser(services.database, link.user_id)
  if (holder === null) throw new Refusal('LinkInvalid')
  const isSame = await services.passwords.verify(holder.password_hash, input.password)
  const passwordHash = await services.passwords.hash(input.password)
  await services.database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, link.user_id))) throw new Refusal('LinkInvalid')
    // Asked here, since it may have been demanded while passwords were compared.
    const isDue = (await findUser(transaction, link.user_id))?.requires_password_change
    if (isSame && isDue) throw samePassword()
    if (!(await closeLink(transaction, link.id, now))) throw new Refusal('LinkInvalid')
    await updatePassword(transaction, link.user_id, passwordHash)
    await endUserSessions(transaction, link.user_id, now)
    await enqueueMail(transaction, {
      userId: link.user_id,
      kind: 'password_changed',
      params: {},
      uniqueKey: `password_changed:${link.id}`,
      at: now,
    })
  })
  // Whoever was kept out by somebody else's guessing gets in with the new password.
  await services.limits.clear('login_by_account', holder.email)
}
