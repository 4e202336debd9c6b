import type { Caller, Services } from '#server/services.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

/** The link that makes the caller the referrer of whoever registers through it. */
export function getReferralLink(services: Services, userId: string, caller: Caller): string {
  requireSelf(caller, userId)
  return `${services.settings.publicUrl}/register?referral=${encodeURIComponent(userId)}`
}
