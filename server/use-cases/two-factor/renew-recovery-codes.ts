import { Refusal } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { replaceRecoveryCodes } from '#server/database/accounts/two-factor.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  countCodeTry,
  getTwoFactor,
  hashRecoveryCode,
  makeRecoveryCodes,
  requireCode,
} from '#server/use-cases/access/two-factor.ts'
import { getOwnUser, requirePassword } from '#server/use-cases/access/user-account.ts'

/**
 * Makes ten new recovery codes in place of the older ones, used or not, and mails the user.
 * They are never shown again. Refuses with `TwoFactorNotOn`, `WrongPassword`, `WrongCode`, `Busy`,
 * `TooManyRequests`.
 */
export async function renewRecoveryCodes(
  services: Services,
  input: { password: string; code: string },
  caller: Caller,
): Promise<string[]> {
  const user = await getOwnUser(services, caller)
  if (!(await getTwoFactor(services, caller)).isOn) throw new Refusal('TwoFactorNotOn')
  await requirePassword(services, user, input.password)
  await countCodeTry(services, user.id)
  const recoveryCodes = makeRecoveryCodes(services)
  const { secretKey } = services.settings
  await services.database.transaction().execute(async (transaction) => {
    await requireCode(services, transaction, user.id, input.code)
    const hashes = recoveryCodes.map((one) => hashRecoveryCode(secretKey, user.id, one))
    await replaceRecoveryCodes(transaction, user.id, hashes)
    await enqueueMail(transaction, {
      userId: user.id,
      kind: 'recovery_codes_renewed',
      at: services.clock.now(),
    })
  })
  await services.limits.clear('code_by_user', user.id)
  return recoveryCodes
}
