import { authContract } from '#contract/auth.ts'
import type { PageLanguage } from '#contract/language.ts'
import type { SessionTokens, User } from '#contract/shapes.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export type RegisteredUser = {
  user: User
  tokens: SessionTokens
  /** The options that make a call as this user. */
  as: { accessToken: string }
  email: string
  password: string
}

export type Registration = {
  first_name: string
  last_name: string
  email: string
  nationality: string
  password: string
  mobile?: string
  language?: PageLanguage
  referrals?: { referred_by?: string }
}

let count = 0

/** What a registration form sends; no two have the same address. */
export function aRegistration(changes: Partial<Registration> = {}): Registration {
  count += 1
  return {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada.${process.pid}.${count}@example.com`,
    nationality: 'GB',
    password: 'passw0rd-1815',
    mobile: '+44 7911123456',
    ...changes,
  }
}

/** Registers somebody through the API, each from a different place. */
export async function aUser(
  { client }: Pick<TestApp, 'client'>,
  changes: Partial<Registration> = {},
): Promise<RegisteredUser> {
  const body = aRegistration(changes)
  const remoteAddress = anAddress()
  const reply = await client.call(authContract.register, { body }, { remoteAddress })
  const { user, tokens } = reply.body.data
  return {
    user,
    tokens,
    as: { accessToken: tokens.access.token },
    email: user.email,
    password: body.password,
  }
}

/** Somebody whose email address is proved to be their own. */
export async function aVerifiedUser(
  app: Pick<TestApp, 'client' | 'open'>,
  changes: Partial<Registration> = {},
): Promise<RegisteredUser> {
  const user = await aUser(app, changes)
  await app.open.database
    .updateTable('users')
    .set({ is_email_verified: true })
    .where('id', '=', user.user.id)
    .execute()
  return user
}

/**
 * An address that no other call came from, in its own network, so that other tests' rate limits do
 * not affect it.
 */
export function anAddress(): string {
  count += 1
  return `10.${(count >> 8) & 255}.${count & 255}.7`
}
