import type { TokenAmount } from '#domain/money.ts'
import { sumRewards } from '#server/database/purchases/rewards.ts'
import { countReferredUsers } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'

type Referrals = { referredCount: number; earned: TokenAmount }

/** How many users registered through the caller's link, and the tokens that this earned. */
export async function getReferrals(services: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  return await sumReferrals(services, userId)
}

export async function sumReferrals(services: Services, userId: string): Promise<Referrals> {
  const [referredCount, earned] = await Promise.all([
    countReferredUsers(services.database, userId),
    sumRewards(services.database, userId),
  ])
  return { referredCount, earned }
}

/** The link that makes the caller the referrer of those who register through it. */
export function getReferralLink(services: Services, userId: string, caller: Caller): string {
  requireSelf(caller, userId)
  return `${services.settings.publicUrl}/register?referral=${encodeURIComponent(userId)}`
}
