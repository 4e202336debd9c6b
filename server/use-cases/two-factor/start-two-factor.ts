import { Refusal } from '#domain/refusal.ts'
import { findTwoFactor, putUnconfirmedTwoFactor } from '#server/database/accounts/two-factor.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { getOwnUser, requirePassword } from '#server/use-cases/access/user-account.ts'

/**
 * Makes a secret for an authenticator app, in place of one that was not confirmed. Logins stay as
 * they are until a code proves the app. Refuses with `TwoFactorAlreadyOn`, `WrongPassword`, `Busy`.
 */
export async function startTwoFactor(
  services: Services,
  password: string,
  caller: Caller,
): Promise<{ secret: string; uri: string }> {
  const user = await getOwnUser(services, caller)
  const current = await findTwoFactor(services.database, user.id)
  if (current !== null && current.confirmed_at !== null) throw new Refusal('TwoFactorAlreadyOn')
  await requirePassword(services, user, password)
  const { secret, uri, sealed } = services.authenticator.makeSecret({
    userId: user.id,
    email: user.email,
    issuer: services.sale.project.name,
  })
  const now = services.clock.now()
  if (!(await putUnconfirmedTwoFactor(services.database, user.id, sealed, now))) {
    throw new Refusal('TwoFactorAlreadyOn')
  }
  return { secret, uri }
}
