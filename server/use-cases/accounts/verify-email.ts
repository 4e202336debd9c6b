import { Refusal } from '#domain/refusal.ts'
import { closeLink, findOpenLink } from '#server/database/accounts/links.ts'
import { markEmailVerified } from '#server/database/accounts/users.ts'
import type { Caller, Services } from '#server/services.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

/** Proves the caller's address by the mailed link. Refuses with `LinkInvalid`. */
export async function verifyEmail(
  services: Services,
  token: string,
  caller: Caller,
): Promise<void> {
  await services.limits.take('link_by_user', caller.userId)
  const now = services.clock.now()
  const link = await findOpenLink(services.database, 'verify_email', hashToken(token), now)
  if (link === null || link.user_id !== caller.userId) throw new Refusal('LinkInvalid')
  await services.database.transaction().execute(async (transaction) => {
    if (!(await closeLink(transaction, link.id, now))) throw new Refusal('LinkInvalid')
    await markEmailVerified(transaction, caller.userId)
  })
}
