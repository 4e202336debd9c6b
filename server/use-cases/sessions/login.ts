import { isEmail, normalizeEmail } from '#domain/accounts/account.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { findUserByEmail, holdUser, type UserRow } from '#server/database/accounts/users.ts'
import type { RateRule } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { consumeCode, getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import { isFromKnownNetwork } from './known-locations.ts'
import { type LoggedIn, startSession } from './start-session.ts'
import { loadUserAccount } from '#server/use-cases/access/user-account.ts'

/** Looked up where there is no account, so that the answer takes as long. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Starts a session. Refuses with `WrongCredentials`, the same and in the same time whether address
 * or password is wrong; with `TwoFactorRequired` or `WrongTwoFactorCode` after the right password;
 * with `Busy` or `TooManyRequests` before any hashing.
 */
export async function login(
  services: Services,
  input: { email: string; password: string; code?: string | undefined },
  client: Client,
): Promise<LoggedIn> {
  const email = normalizeEmail(input.email)
  const { limits } = services
  await limits.take('login_by_address', connectionOf(client.address))
  const user = isEmail(email) ? await findUserByEmail(services.database, email) : null
  const isKnown = await isFromKnownNetwork(services, user?.id ?? NOBODY, client)
  const tries = triesOf(email, client, isKnown)
  // A guesser from one place is stopped early, the owner elsewhere is not locked out by that.
  await limits.take('login_by_account_and_address', tries.here)
  await limits.take(tries.rule, tries.key)

  const isRight = await services.passwords.verify(user?.password_hash ?? null, input.password)
  if (user === null || !isRight) throw new Refusal('WrongCredentials')
  await limits.refund(tries.rule, tries.key)

  if ((await getTwoFactor(services, { userId: user.id })).isOn) {
    if (input.code === undefined) throw new Refusal('TwoFactorRequired')
    await limits.take('code_by_login', tries.key)
    await limits.take('code_by_login_and_day', tries.key)
  }
  const loggedIn = await openSession(services, user, input.code, client)
  await limits.clear('login_by_account_and_address', tries.here)
  await limits.clear('code_by_login', tries.key)
  return loggedIn
}

/** How the tries of a login are counted: apart for a network that the account logs in from. */
function triesOf(
  email: string,
  client: Client,
  isKnown: boolean,
): { here: string; rule: RateRule; key: string } {
  const here = `${email} ${connectionOf(client.address)}`
  return isKnown
    ? { here, rule: 'login_by_account_and_network', key: `${email} ${networkOf(client.address)}` }
    : { here, rule: 'login_by_account', key: email }
}

/** What was checked may have changed meanwhile: a password, or that there is an account at all. */
async function openSession(
  services: Services,
  user: UserRow,
  code: string | undefined,
  client: Client,
): Promise<LoggedIn> {
  const tokens = await services.database.transaction().execute(async (transaction) => {
    if (!(await holdUser(transaction, user.id, user.password_hash))) {
      throw new Refusal('WrongCredentials')
    }
    if ((await getTwoFactor({ database: transaction }, { userId: user.id })).isOn) {
      if (code === undefined) throw new Refusal('TwoFactorRequired')
      const isRight = await consumeCode(services, transaction, user.id, code)
      if (!isRight) throw new Refusal('WrongTwoFactorCode')
    }
    return startSession(services, transaction, user.id, client)
  })
  return { user: await loadUserAccount(services, user), tokens }
}
