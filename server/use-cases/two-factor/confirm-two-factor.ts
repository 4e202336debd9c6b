import { Refusal } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import {
  confirmTwoFactorRow,
  findTwoFactor,
  insertRecoveryCodes,
} from '#server/database/accounts/two-factor.ts'
import { lockUser } from '#server/database/accounts/users.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  countCodeTry,
  hashRecoveryCode,
  makeRecoveryCodes,
  stepOfCode,
} from '#server/use-cases/access/two-factor.ts'

/**
 * Turns two-factor login on, once a code proves that the app has the secret, and mails the user.
 * Returns the recovery codes, which are never shown again. Refuses with `TwoFactorNotStarted`,
 * `TwoFactorAlreadyOn`, `WrongCode`, `TooManyRequests`.
 */
export async function confirmTwoFactor(
  services: Services,
  code: string,
  { userId }: Caller,
): Promise<string[]> {
  await countCodeTry(services, userId)
  const { secretKey } = services.settings
  const row = await findTwoFactor(services.database, userId)
  if (row === null) throw new Refusal('TwoFactorNotStarted')
  if (row.confirmed_at !== null) throw new Refusal('TwoFactorAlreadyOn')
  const step = stepOfCode(services, row, code)
  if (step === null) throw new Refusal('WrongCode')

  const recoveryCodes = makeRecoveryCodes(services)
  await services.database.transaction().execute(async (transaction) => {
    // A login that is under way comes before this or asks for the code.
    if (!(await lockUser(transaction, userId))) throw new Refusal('Unauthenticated')
    const now = services.clock.now()
    if (!(await confirmTwoFactorRow(transaction, row, step, now))) throw new Refusal('WrongCode')
    const hashes = recoveryCodes.map((one) => hashRecoveryCode(secretKey, userId, one))
    await insertRecoveryCodes(transaction, userId, hashes)
    await enqueueMail(transaction, { userId, kind: 'two_factor_on', at: now })
  })
  await services.limits.clear('code_by_user', userId)
  return recoveryCodes
}
