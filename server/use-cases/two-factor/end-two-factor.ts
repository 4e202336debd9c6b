import { Refusal } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { deleteTwoFactor } from '#server/database/accounts/two-factor.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { countCodeTry, getTwoFactor, requireCode } from '#server/use-cases/access/two-factor.ts'
import { getOwnUser, requirePassword } from '#server/use-cases/access/user-account.ts'

/**
 * Turns two-factor login off and mails the user. Refuses with `TwoFactorNotOn`,
 * `WrongPassword`, `WrongCode`, `Busy`, `TooManyRequests`.
 */
export async function endTwoFactor(
  services: Services,
  input: { password: string; code: string },
  caller: Caller,
): Promise<void> {
  const user = await getOwnUser(services, caller)
  if (!(await getTwoFactor(services, caller)).isOn) throw new Refusal('TwoFactorNotOn')
  await requirePassword(services, user, input.password)
  await countCodeTry(services, user.id)
  await services.database.transaction().execute(async (transaction) => {
    await requireCode(services, transaction, user.id, input.code)
    await deleteTwoFactor(transaction, user.id)
    await enqueueMail(transaction, {
      userId: user.id,
      kind: 'two_factor_off',
      at: services.clock.now(),
    })
  })
  await services.limits.clear('code_by_user', user.id)
}
