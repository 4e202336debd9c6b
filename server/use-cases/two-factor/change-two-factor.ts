import { Refusal } from '#domain/refusal.ts'
import {
  confirmTwoFactorRow,
  deleteTwoFactor,
  findTwoFactor,
} from '#server/database/accounts/two-factor.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  countCodeTry,
  getTwoFactor,
  proveApp,
  renewCodes,
  startApp,
} from '#server/use-cases/access/two-factor.ts'
import {
  clearCodeTries,
  getOwnUser,
  lockCaller,
  lockProvedOwner,
  requirePassword,
} from '#server/use-cases/access/user-account.ts'

/**
 * Makes a secret for an authenticator app, replacing one that was not confirmed. Logins stay as
 * they are until a code proves the app.
 */
export async function startTwoFactor(
  services: Services,
  password: string,
  caller: Caller,
): Promise<{ secret: string; uri: string }> {
  const user = await getOwnUser(services, caller)
  const current = await findTwoFactor(services.database, user.id)
  if (current !== null && current.confirmed_at !== null) throw new Refusal('TwoFactorAlreadyOn')
  await requirePassword(services, user, password, caller)
  const issuer = services.sale.project.name
  return await startApp(services, { userId: user.id, email: user.email, issuer })
}

/**
 * Turns two-factor login on, once a code proves that the app has the secret, and mails the user.
 * Returns the recovery codes, which are never shown again.
 */
export async function confirmTwoFactor(
  services: Services,
  code: string,
  caller: Caller,
): Promise<string[]> {
  const { userId } = caller
  const { app, step } = await proveApp(services, userId, code)
  const recoveryCodes = await changeCounted(services, caller, async (transaction) => {
    // A login in progress either comes before this or asks for the code.
    await lockCaller(transaction, caller)
    const now = services.clock.now()
    if (!(await confirmTwoFactorRow(transaction, app, step, now))) throw new Refusal('WrongCode')
    await enqueueMail(transaction, { userId, kind: 'two_factor_on', at: now })
    return await renewCodes(services, transaction, userId)
  })
  await clearCodeTries(services, caller, code)
  return recoveryCodes
}

/** Turns two-factor login off and mails the user. */
export async function endTwoFactor(
  services: Services,
  input: { password: string; code: string },
  caller: Caller,
): Promise<void> {
  const { userId } = caller
  await requireTwoFactorOn(services, input.password, caller)
  await changeCounted(services, caller, async (transaction) => {
    await lockProvedOwner(services, transaction, caller, input.code)
    await deleteTwoFactor(transaction, userId)
    await enqueueMail(transaction, {
      userId,
      kind: 'two_factor_off',
      at: services.clock.now(),
    })
  })
  await clearCodeTries(services, caller, input.code)
}

/** Replaces all recovery codes with ten new ones and mails the user. They are never shown again. */
export async function renewRecoveryCodes(
  services: Services,
  input: { password: string; code: string },
  caller: Caller,
): Promise<string[]> {
  const { userId } = caller
  await requireTwoFactorOn(services, input.password, caller)
  const recoveryCodes = await changeCounted(services, caller, async (transaction) => {
    await lockProvedOwner(services, transaction, caller, input.code)
    await enqueueMail(transaction, {
      userId,
      kind: 'recovery_codes_renewed',
      at: services.clock.now(),
    })
    return await renewCodes(services, transaction, userId)
  })
  await clearCodeTries(services, caller, input.code)
  return recoveryCodes
}

/** Checks that two-factor login is on and the password right, and counts the try of the code. */
async function requireTwoFactorOn(services: Services, password: string, caller: Caller) {
  const user = await getOwnUser(services, caller)
  if (!(await getTwoFactor(services, caller)).isOn) throw new Refusal('TwoFactorNotOn')
  await requirePassword(services, user, password, caller)
  await countCodeTry(services, user.id)
}

/** Each change sends a mail, perhaps to somebody who never registered. One that fails does not. */
async function changeCounted<Result>(
  services: Services,
  caller: Caller,
  change: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  const { email } = await getOwnUser(services, caller)
  const counted: Try = { rule: 'two_factor_change_by_account', key: email }
  await services.limits.takeInOrder([counted])
  try {
    return await services.database.transaction().execute(change)
  } catch (error) {
    await services.limits.restore({ refunded: [counted] })
    throw error
  }
}
