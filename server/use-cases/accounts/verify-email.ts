import { Refusal } from '#domain/refusal.ts'
import { closeLink, findLinkOwner, findOpenLink } from '#server/database/accounts/links.ts'
import { lockUser, markEmailVerified } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { getOwnUser } from '#server/use-cases/access/user-account.ts'
import { mailLink } from './mail-link.ts'

/**
 * Mails a link that proves the address. Refuses with `EmailAlreadyVerified`, and with
 * `TooManyRequests` within 60 s of the last one.
 */
export async function sendVerificationEmail(services: Services, caller: Caller): Promise<void> {
  const user = await getOwnUser(services, caller)
  if (user.is_email_verified) throw new Refusal('EmailAlreadyVerified')
  await countVerificationMail(services, user.email)
  await mailLink(services, user.id, 'verify_email')
}

/**
 * Counts a verification mail, whether the user or an operator requested it. Refuses with
 * `TooManyRequests`.
 */
export async function countVerificationMail({ limits }: Services, email: string): Promise<void> {
  await limits.take('verification_cooldown', email)
  await limits.take('verification_by_account', email)
}

/**
 * Proves the caller's address by the mailed link. Refuses with `EmailAlreadyVerified` if it is
 * proved and the link is an old one of the caller's, and with `LinkInvalid`.
 */
export async function verifyEmail(services: Services, token: string, caller: Caller) {
  await services.limits.take('link_by_user', caller.userId)
  const now = services.clock.now()
  const tokenHash = hashToken(token)
  const link = await findOpenLink(services.database, 'verify_email', tokenHash, now)
  if (link === null || link.user_id !== caller.userId) {
    const owner = await findLinkOwner(services.database, 'verify_email', tokenHash)
    const isDone = caller.user.isEmailVerified && owner === caller.userId
    throw new Refusal(isDone ? 'EmailAlreadyVerified' : 'LinkInvalid')
  }
  await services.database.transaction().execute(async (transaction) => {
    // Whatever else changes a user locks the user first, too.
    const isThere = await lockUser(transaction, caller.userId)
    if (!isThere || !(await closeLink(transaction, link.id, now))) {
      throw new Refusal('LinkInvalid')
    }
    await markEmailVerified(transaction, caller.userId)
  })
}
