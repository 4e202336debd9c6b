import { normalizeEmail } from '#domain/accounts/account.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { closeLink, closeUserLinks, findOpenLink } from '#server/database/accounts/links.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { endUserSessions } from '#server/database/accounts/sessions.ts'
import { findUser, lockUser, updatePassword } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import { getOwnUser, requirePassword, samePassword } from '#server/use-cases/access/user-account.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { findLogin } from '#server/use-cases/sessions/login.ts'
import { mailLink } from './mail-link.ts'
import type { Caller, Client } from '#server/ports/security.ts'

/** Longer than mailing takes, so that the time does not reveal whether an account exists. */
const REPLY_AFTER_MS = 150

/**
 * Mails a link for choosing a new password if the address has an account; the reply is the same if
 * it has none. Refuses with `TooManyRequests` within 60 s of the last request for the same address.
 */
export async function forgotPassword(services: Services, input: { email: string }, client: Client) {
  const email = normalizeEmail(input.email)
  const { limits } = services
  await limits.take('forgot_by_address', connectionOf(client.address))
  const { user, isKnown } = await findLogin(services, email, client)
  // Strangers cannot use up the mails of whoever is where the account has logged in before, and
  // once theirs are used up they do not start the minute either.
  const from = isKnown ? ` ${networkOf(client.address)}` : ''
  const minute = { rule: 'forgot_cooldown', key: email } as const
  await limits.takeInOrder([minute])
  try {
    await limits.take('forgot_by_account', email + from)
  } catch (error) {
    await limits.restore({ cleared: [minute] })
    throw error
  }
  const passed = new Promise((resolve) => setTimeout(resolve, REPLY_AFTER_MS))
  await Promise.all([passed, user && mailLink(services, user.id, 'reset_password')])
}

/**
 * Sets a new password by a mailed link, ends all sessions of the user and mails the user. Refuses
 * with `LinkInvalid`, `Busy`, `TooManyRequests`, and with `InvalidInput` if a different password is
 * required and this is the current one; then the link stays valid.
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
  const isSame = await services.passwords.verify(holder.password_hash, input.password, client)
  const passwordHash = await services.passwords.hash(input.password, client)
  await services.database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, link.user_id))) throw new Refusal('LinkInvalid')
    // Checked here, since a change may have been required while passwords were being compared.
    const isDue = (await findUser(transaction, link.user_id))?.requires_password_change
    if (isSame && isDue) throw samePassword()
    if (!(await closeLink(transaction, link.id, now))) throw new Refusal('LinkInvalid')
    await updatePassword(transaction, link.user_id, passwordHash)
    await endUserSessions(transaction, link.user_id, now)
    await enqueueMail(transaction, {
      userId: link.user_id,
      kind: 'password_changed',
      uniqueKey: `password_changed:${link.id}`,
      at: now,
    })
  })
}

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
  await requirePassword(services, user, input.currentPassword, caller)
  const isSame = await services.passwords.verify(user.password_hash, input.password, caller)
  if (isSame) throw samePassword()
  const passwordHash = await services.passwords.hash(input.password, caller)
  // Each change sends a mail, perhaps to somebody who never registered.
  await services.limits.take('password_change_by_account', user.email)
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
