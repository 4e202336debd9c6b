import { Refusal, wrongField } from '#domain/refusal.ts'
import type { StoredAccount } from '#server/database/books/ledger.ts'
import { findUser, lockUser, type UserRow } from '#server/database/accounts/users.ts'
import type { Caller, Client, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { findSession } from '#server/database/accounts/sessions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { countCodeTry, getTwoFactor, requireCode, restoreCodeTry } from './two-factor.ts'
import { verifyCounted } from './verify-counted.ts'

export type { StoredAccount }

/** A user with their balances from the ledger; a user who is not found has been erased since. */
export async function loadUserAccount(services: Services, userId: string): Promise<StoredAccount> {
  const account = await services.readAccount(userId)
  if (account === null) throw new Refusal('Unauthenticated')
  return account
}

/**
 * Refuses with `NotFound` unless callers ask for themselves: the same refusal as for an id that
 * does not exist.
 */
export function requireSelf(caller: Caller, userId: string): void {
  if (userId !== caller.userId) throw new Refusal('NotFound')
}

/** The caller's own row; a caller without one has been erased since. */
export async function getOwnUser(services: Services, caller: Caller): Promise<UserRow> {
  const user = await findUser(services.database, caller.userId)
  if (user === null) throw new Refusal('Unauthenticated')
  return user
}

/** Refuses with `EmailNotVerified` if the sale requires it; the session stays. */
export function requireVerifiedEmail(services: Services, caller: Caller): void {
  if (services.sale.accounts.requireVerifiedEmail && !caller.user.isEmailVerified) {
    throw new Refusal('EmailNotVerified')
  }
}

/**
 * Makes sure that whoever holds the session also knows the password. Refuses with `WrongPassword`,
 * `Busy`, `TooManyRequests`.
 */
export async function requirePassword(
  services: Services,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  password: string,
  from: Pick<Client, 'address'>,
): Promise<void> {
  const { limits } = services
  // Each password is counted separately: after a reset, a thief's guesses count no longer.
  const key = `${user.id} ${user.password_hash}`
  const minutes: Try = { rule: 'password_by_user', key }
  const day: Try = { rule: 'password_by_user_and_day', key }
  // Right passwords count as well: comparing them keeps others from logging in meanwhile.
  await limits.take('password_proof_by_user', key)
  await limits.takeInOrder([minutes, day])
  const given = { hash: user.password_hash, password }
  const isRight = await verifyCounted(services, given, [minutes, day], from)
  if (!isRight) throw new Refusal('WrongPassword')
  await limits.restore({ cleared: [minutes], refunded: [day] })
}

/** Whoever knew the current password would know a new one that equals it. */
export function samePassword(): Refusal {
  return wrongField('password', 'Choose a password that is not the current one')
}

/** What shows that the caller is the account's owner and not just somebody with their session. */
export type OwnerProof = { password: string; code?: string | undefined }

/**
 * Checks the password, and returns the code that is still to be used up; null if two-factor login
 * is off. Refuses with `InvalidInput`, `WrongPassword`, `Busy`, `TooManyRequests`.
 */
export async function requireOwnerProof(
  services: Services,
  { password, code }: OwnerProof,
  caller: Caller,
): Promise<string | null> {
  const user = await getOwnUser(services, caller)
  await requirePassword(services, user, password, caller)
  if (!(await getTwoFactor(services, caller)).isOn) return null
  if (code === undefined) throw codeMissing()
  await countCodeTry(services, user.id)
  return code
}

const codeMissing = () =>
  wrongField('code', 'Enter a code from your authenticator app or a recovery code')

/**
 * Locks the caller for what was proved. If the password has changed since the proof, the session
 * has ended, so a thief can do nothing any more. Refuses with `Unauthenticated`.
 */
export async function lockCaller(
  transaction: DatabaseTransaction,
  { userId, sessionId }: Caller,
): Promise<void> {
  const isThere = await lockUser(transaction, userId)
  const session = isThere ? await findSession(transaction, sessionId) : null
  if (session?.ended_at !== null) throw new Refusal('Unauthenticated')
}

/**
 * Uses up the code of {@link requireOwnerProof}; call it with the caller locked. Refuses with
 * `WrongCode`, and with `InvalidInput` if none was needed and two-factor login was turned on since.
 */
export async function finishProof(
  services: Services,
  transaction: DatabaseTransaction,
  { userId }: Caller,
  code: string | null,
): Promise<void> {
  if (code !== null) return await requireCode(services, transaction, userId, code)
  if ((await getTwoFactor({ database: transaction }, { userId })).isOn) throw codeMissing()
}

/** Both of the above. */
export async function lockProvedOwner(
  services: Services,
  transaction: DatabaseTransaction,
  caller: Caller,
  code: string | null,
): Promise<void> {
  await lockCaller(transaction, caller)
  await finishProof(services, transaction, caller, code)
}

/** After a right code, which was no guess. */
export async function clearCodeTries(
  services: Services,
  { userId }: Caller,
  code: string | null,
): Promise<void> {
  if (code !== null) await restoreCodeTry(services, userId)
}
