import { createHmac } from 'node:crypto'

import { Refusal } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import {
  countRecoveryCodes,
  findTwoFactor,
  lockTwoFactor,
  putUnconfirmedTwoFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  type TwoFactorRow,
} from '#server/database/accounts/two-factor.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 10
/** Without the letters that are easily mistaken for digits. */
const RECOVERY_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

export async function getTwoFactor(
  { database }: Pick<Services, 'database'>,
  { userId }: Pick<Caller, 'userId'>,
) {
  const onSince = (await findTwoFactor(database, userId))?.confirmed_at ?? null
  const recoveryCodesLeft = onSince === null ? 0 : await countRecoveryCodes(database, userId)
  return { isOn: onSince !== null, onSince, recoveryCodesLeft }
}

/**
 * Uses up a code of the app of a user or an operator, or a recovery code, and returns which it was:
 * how many recovery codes are left then. Null if the code is wrong or already used, even by another
 * login at the same moment.
 */
export async function takeCode(
  services: Services,
  transaction: DatabaseTransaction,
  accountId: string,
  code: string,
): Promise<'app' | number | null> {
  const row = await lockTwoFactor(transaction, accountId)
  if (isAppCode(code)) {
    const step = row && stepOfCode(services, row, code)
    return step !== null && (await takeStep(transaction, accountId, step)) ? 'app' : null
  }
  const hash = hashRecoveryCode(services.settings.secretKey, accountId, code)
  const isTaken = await takeRecoveryCode(transaction, accountId, hash, services.clock.now())
  return isTaken ? await countRecoveryCodes(transaction, accountId) : null
}

/** Uses up a code of a user, who is notified by mail of a recovery code. False if it is wrong. */
export async function consumeCode(
  services: Services,
  transaction: DatabaseTransaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const taken = await takeCode(services, transaction, userId, code)
  if (typeof taken === 'number') {
    await enqueueMail(transaction, {
      userId,
      kind: 'recovery_code_used',
      params: { codes_left: String(taken) },
      at: services.clock.now(),
    })
  }
  return taken !== null
}

/**
 * Counts an attempt at a code inside a session, before the code is checked. Refuses with
 * `TooManyRequests`. Not in the change's transaction, whose rollback would undo the count.
 */
export async function countCodeTry({ limits }: Services, userId: string): Promise<void> {
  await limits.takeInOrder([
    { rule: 'code_by_user', key: userId },
    { rule: 'code_by_user_and_day', key: userId },
  ])
}

/** After a right code: its own try no longer counts, nor do the wrong ones of these minutes. */
export async function restoreCodeTry({ limits }: Services, userId: string): Promise<void> {
  await limits.restore({
    cleared: [{ rule: 'code_by_user', key: userId }],
    refunded: [{ rule: 'code_by_user_and_day', key: userId }],
  })
}

/** Uses up a code for the change in progress. Refuses with `WrongCode`. */
export async function requireCode(
  services: Services,
  transaction: DatabaseTransaction,
  userId: string,
  code: string,
): Promise<void> {
  if (!(await consumeCode(services, transaction, userId, code))) throw new Refusal('WrongCode')
}

/**
 * Makes a secret for an app of a user or an operator, replacing one that no code has proved.
 * Refuses with `TwoFactorAlreadyOn`.
 */
export async function startApp(
  { authenticator, clock, database }: Services,
  account: Parameters<Services['authenticator']['makeSecret']>[0],
): Promise<{ secret: string; uri: string }> {
  const { secret, uri, sealed } = authenticator.makeSecret(account)
  if (!(await putUnconfirmedTwoFactor(database, account.userId, sealed, clock.now()))) {
    throw new Refusal('TwoFactorAlreadyOn')
  }
  return { secret, uri }
}

/**
 * The app that was started, with the step of a code that proves it. Refuses with
 * `TwoFactorNotStarted`, `TwoFactorAlreadyOn`, `WrongCode`, `TooManyRequests`.
 */
export async function proveApp(
  services: Services,
  accountId: string,
  code: string,
): Promise<{ app: TwoFactorRow; step: bigint }> {
  const app = await findTwoFactor(services.database, accountId)
  if (app === null) throw new Refusal('TwoFactorNotStarted')
  if (app.confirmed_at !== null) throw new Refusal('TwoFactorAlreadyOn')
  // Only now is something guessed: whoever has no password must not use up the owner's tries.
  await countCodeTry(services, accountId)
  const step = stepOfCode(services, app, code)
  if (step === null) throw new Refusal('WrongCode')
  return { app, step }
}

/** The time step of an app's code; null if it is not a code of the app for these minutes. */
export function stepOfCode(
  { authenticator, clock }: Services,
  { account_id: userId, sealed_secret: sealed }: Pick<TwoFactorRow, 'account_id' | 'sealed_secret'>,
  code: string,
): bigint | null {
  return isAppCode(code) ? authenticator.stepOf({ userId, sealed, code, now: clock.now() }) : null
}

/** Whether it has the form of an app's code, and not of a recovery code. */
function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** Replaces all recovery codes of a user or an operator, and returns the new ones to be shown. */
export async function renewCodes(
  { random, settings }: Services,
  transaction: DatabaseTransaction,
  accountId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    // Fifty random bits.
    const bytes = Buffer.from(random.token(), 'base64url').subarray(0, RECOVERY_LENGTH)
    const letters = [...bytes].map((byte) => RECOVERY_LETTERS[byte % RECOVERY_LETTERS.length])
    return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
  })
  const hashes = codes.map((code) => hashRecoveryCode(settings.secretKey, accountId, code))
  await replaceRecoveryCodes(transaction, accountId, hashes)
  return codes
}

/**
 * The same hash however the code is written: in capitals, without hyphens, with an O for a zero.
 */
function hashRecoveryCode(secretKey: Secret, userId: string, code: string): Uint8Array {
  const plain = code
    .toLowerCase()
    .replaceAll(/[-_]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return createHmac('sha256', secretKey.reveal()).update(`recovery ${userId} ${plain}`).digest()
}
