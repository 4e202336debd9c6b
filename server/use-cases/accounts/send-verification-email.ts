import { Refusal } from '#domain/refusal.ts'
import type { Caller, Services } from '#server/services.ts'
import { mailLink } from './mail-link.ts'
import { getOwnUser } from '#server/use-cases/access/user-account.ts'

/**
 * Mails a link that proves the address. Refuses with `EmailAlreadyVerified`, and with
 * `TooManyRequests` within 60 s of the last one.
 */
export async function sendVerificationEmail(services: Services, caller: Caller): Promise<void> {
  const user = await getOwnUser(services, caller)
  if (user.is_email_verified) throw new Refusal('EmailAlreadyVerified')
  await services.limits.take('verification_cooldown', user.id)
  await services.limits.take('verification_by_user', user.id)
  await mailLink(services, user.id, 'verify_email')
}
