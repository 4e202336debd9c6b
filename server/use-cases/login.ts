import { isEmail, normalizeEmail } from '#domain/account.ts'
import { Refusal } from '#domain/refusal.ts'
import { findUserByEmail } from '#server/database/users.ts'
import type { Services } from '#server/services.ts'
import type { Client } from './caller.ts'
import type { LoggedIn } from './register.ts'
import { startSession } from './start-session.ts'
import { loadUserAccount } from './user-account.ts'

/**
 * Starts a session. Refuses with `WrongCredentials`, the same and in the same time whether address
 * or password is wrong; with `Busy` or `TooManyRequests` before any hashing.
 */
export async function login(
  services: Services,
  input: { email: string; password: string },
  client: Client,
): Promise<LoggedIn> {
  const email = normalizeEmail(input.email)
  const { limits } = services
  await limits.take('login_by_address', client.address)
  // A guesser from one place is stopped early, the owner elsewhere is not locked out by that.
  const accountAtAddress = `${email} ${client.address}`
  await limits.take('login_by_account_and_address', accountAtAddress)
  await limits.take('login_by_account', email)

  const user = isEmail(email) ? await findUserByEmail(services.database, email) : null
  const isRight = await services.passwords.verify(user?.password_hash ?? null, input.password)
  if (user === null || !isRight) throw new Refusal('WrongCredentials')

  await limits.clear('login_by_account_and_address', accountAtAddress)
  await limits.clear('login_by_account', email)
  const tokens = await startSession(services, services.database, user.id, client)
  return { user: await loadUserAccount(services, user), tokens }
}
