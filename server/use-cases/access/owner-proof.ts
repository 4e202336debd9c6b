import { Refusal, wrongField } from '#domain/refusal.ts'
import { findSession } from '#server/database/accounts/sessions.ts'
import { lockUser } from '#server/database/accounts/users.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { countCodeTry, getTwoFactor, requireCode } from './two-factor.ts'
import { getOwnUser, requirePassword } from './user-account.ts'

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
  await requirePassword(services, user, password)
  if (!(await getTwoFactor(services, caller)).isOn) return null
  if (code === undefined) {
    throw wrongField('code', 'Enter a code from your authenticator app or a recovery code')
  }
  await countCodeTry(services, user.id)
  return code
}

/**
 * Locks the caller for what was proved, and uses the code up. If the password has changed since the
 * proof, the session has ended, so a thief can do nothing any more. Refuses with `Unauthenticated`,
 * `WrongCode`.
 */
export async function lockProvedOwner(
  services: Services,
  transaction: DatabaseTransaction,
  { userId, sessionId }: Caller,
  code: string | null,
): Promise<void> {
  const isThere = await lockUser(transaction, userId)
  const session = isThere ? await findSession(transaction, sessionId) : null
  if (session?.ended_at !== null) throw new Refusal('Unauthenticated')
  if (code !== null) await requireCode(services, transaction, userId, code)
}

/** After a right code, earlier wrong tries no longer count. */
export async function clearCodeTries(
  { limits }: Services,
  { userId }: Caller,
  code: string | null,
): Promise<void> {
  if (code !== null) await limits.restore({ cleared: [{ rule: 'code_by_user', key: userId }] })
}
