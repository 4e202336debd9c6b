import { isEmail, normalizeEmail } from '#domain/accounts/account.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import type { PageLanguage } from '#domain/language.ts'
import { Refusal } from '#domain/refusal.ts'
import { namedStatementsOf } from '#server/database/connection/named-statements.ts'
import {
  findUserForLogin,
  holdUser,
  updateUserFields,
  type UserRow,
} from '#server/database/accounts/users.ts'
import type { Client, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { consumeCode, getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import { verifyCounted } from '#server/use-cases/access/verify-counted.ts'
import { LOCATION_TTL_MS, locationOf } from './known-locations.ts'
import { type LoggedIn, startSession } from './start-session.ts'
import type { IssuedTokens } from '#server/use-cases/access/session-tokens.ts'

export type LoginInput = {
  email: string
  password: string
  code?: string | undefined
  /** The one chosen on the device, which the user's mails follow from now on. */
  language?: PageLanguage | undefined
}

/**
 * Starts a session. Refuses with `WrongCredentials`, in the same way and after the same time,
 * whether the address or the password is wrong; with `TwoFactorRequired` or `WrongTwoFactorCode`
 * after the right password; and with `Busy` or `TooManyRequests` before any hashing.
 */
export async function login(services: Services, input: LoginInput, client: Client) {
  const email = normalizeEmail(input.email)
  const { limits } = services
  const { user, isKnown, hasTwoFactor } = await findLogin(services, email, client)
  // A network that the account has logged in from is counted separately, and so is each password:
  // whoever has reset it can log in at once, wherever they are.
  const network = isKnown ? ` ${networkOf(client.address)}` : ''
  const tries = triesOf(`${email} ${user?.password_hash}`, network, client)
  await limits.takeInOrder([
    { rule: 'login_by_address', key: connectionOf(client.address) },
    // Guesses from one place are stopped early, without locking out the owner elsewhere.
    tries.here,
    tries.all,
  ])

  const given = { hash: user?.password_hash ?? null, password: input.password }
  const isRight = await verifyCounted(services, given, [tries.here, tries.all], client)
  if (user === null || !isRight) throw new Refusal('WrongCredentials')

  const codeTries = { rule: 'code_by_login', key: email + network } as const
  if (!hasTwoFactor) {
    // Even if the session is refused, this was not a guess.
    const loggedIn = openSession(services, user, { ...input, code: undefined }, client)
    const isOpen = await loggedIn.then(
      () => true,
      () => false,
    )
    await limits.restore({ refunded: [tries.all], cleared: isOpen ? [tries.here, codeTries] : [] })
    return await loggedIn
  }
  await limits.restore({ refunded: [tries.all] })
  if (input.code === undefined) throw new Refusal('TwoFactorRequired')
  const dayOfCodes = { rule: 'code_by_login_and_day', key: codeTries.key } as const
  await limits.takeInOrder([codeTries, dayOfCodes])
  const loggedIn = await openSession(services, user, input, client)
  await limits.restore({ cleared: [tries.here, codeTries], refunded: [dayOfCodes] })
  return loggedIn
}

/**
 * Whose account an address is, and whether it has logged in from the caller's network. The same is
 * read whether or not there is an account.
 */
export async function findLogin(services: Services, email: string, client: Client) {
  const { networkHash } = locationOf(services.settings.secretKey, client)
  const since = new Date(services.clock.now().getTime() - LOCATION_TTL_MS)
  // A text that is not an address may be too long, or contain what the database refuses.
  const asked = isEmail(email) ? email : ''
  return await findUserForLogin(services.statements, asked, networkHash, since)
}

function triesOf(account: string, network: string, client: Client): { here: Try; all: Try } {
  return {
    here: {
      rule: 'login_by_account_and_address',
      key: `${account} ${connectionOf(client.address)}`,
    },
    all: {
      rule: network === '' ? 'login_by_account' : 'login_by_account_and_network',
      key: account + network,
    },
  }
}

/**
 * What was checked may have changed meanwhile: the password, the existence of the account, or
 * two-factor login, for which a code is then needed that was counted as a try.
 */
async function openSession(
  services: Services,
  user: UserRow,
  { code, language }: Pick<LoginInput, 'code' | 'language'>,
  client: Client,
): Promise<LoggedIn> {
  const proved = { userId: user.id, passwordHash: user.password_hash }
  const tokens =
    code === undefined
      ? await startSession(services, services.statements, { ...proved, isProved: false }, client)
      : await startSessionByCode(services, proved, code, client)
  if (language !== undefined && language !== user.language) {
    await updateUserFields(services.database, user.id, { language })
  }
  const account = await services.readAccount(user.id)
  // Erased at this very moment, along with the session that was just started.
  if (account === null) throw new Refusal('WrongCredentials')
  return { account, tokens }
}

async function startSessionByCode(
  services: Services,
  proved: { userId: string; passwordHash: string },
  code: string,
  client: Client,
): Promise<IssuedTokens> {
  const { userId, passwordHash } = proved
  return await services.database.transaction().execute(async (transaction) => {
    if (!(await holdUser(transaction, userId, passwordHash))) throw new Refusal('WrongCredentials')
    const { isOn } = await getTwoFactor({ database: transaction }, { userId })
    if (isOn && !(await consumeCode(services, transaction, userId, code))) {
      throw new Refusal('WrongTwoFactorCode')
    }
    const statements = namedStatementsOf(transaction)
    return startSession(services, statements, { ...proved, isProved: isOn }, client)
  })
}
