import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { authContract } from '#contract/auth.ts'
import type { SessionTokens } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { buildApp } from '#server/app.ts'
import { allRoutes } from '#server/http/api/all-routes.ts'
import type { PasswordHasher, RateLimits } from '#server/ports/security.ts'
import { eraseAccountRows } from '#server/database/accounts/retention.ts'
import { lockUser } from '#server/database/accounts/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { authenticatorFor, turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { createClient, type TestClient } from '#tests/kit/servers/client.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { expectWaiting } from '#tests/kit/servers/database.ts'

/**
 * Everything that changes who may be logged in, at the same moment as logins and refreshes. The
 * embedded database has one connection, so only a real PostgreSQL lets them run at once.
 */
vi.setConfig({ testTimeout: 60_000 })

const ROUNDS = 25
const LOGINS = 4

let kit: TestApp
let client: TestClient
let close: () => Promise<void>
/**
 * Waits between the proof of a password, or the count of a code, and what it is for; set by who
 * wants something there.
 */
let afterProof: () => Promise<void>
beforeAll(async () => {
  kit = await startApp()
  // Hashing takes so much longer than the rest that two calls would hardly ever overlap.
  const passwords: PasswordHasher = {
    hash: async (password) => `quick ${password}`,
    verify: async (hash, password) => {
      const isRight = hash === `quick ${password}`
      await afterProof()
      return isRight
    },
  }
  const limits: RateLimits = {
    ...kit.services.limits,
    async takeInOrder(tries) {
      await kit.services.limits.takeInOrder(tries)
      const isProved = (rule: string) => rule === 'code_by_user' || rule === 'erasure_by_account'
      if (tries.some(({ rule }) => isProved(rule))) await afterProof()
    },
  }
  const services = { ...kit.services, passwords, limits }
  const app = await buildApp(services, {
    routes: allRoutes(true),
    webFolder: null,
    trustedProxies: 0,
  })
  client = createClient(app)
  close = async () => app.close()
  afterProof = async () => {}
})
afterAll(async () => {
  await close()
  await kit.close()
})

const from = () => ({ remoteAddress: anAddress() })
const NEW_PASSWORD = 'another-passw0rd'

const login = ({ email, password }: Pick<RegisteredUser, 'email' | 'password'>) =>
  client.call(authContract.login, { body: { email, password } }, from())

const refresh = ({ refresh: { token } }: SessionTokens) =>
  client.call(authContract.refreshTokens, { body: { refresh_token: token } }, from())

const change = ({ as, password }: RegisteredUser, to = NEW_PASSWORD) =>
  client.call(
    authContract.changePassword,
    { body: { current_password: password, password: to } },
    as,
  )

async function resetLinkOf(user: RegisteredUser): Promise<{ token: string }> {
  await client.call(authContract.forgotPassword, { body: { email: user.email } }, from())
  return { token: await mailedToken(user, '/reset-password?') }
}

async function mailedToken({ email }: RegisteredUser, page: string): Promise<string> {
  const hasCome = () =>
    kit.mailbox.taken.some(({ to, text }) => to === email && text.includes(page))
  // The mails about other rounds' logins come first.
  while (!hasCome()) await sendMails(kit.services)
  return linkTokenFor(kit.mailbox, email)
}

const reset = (query: { token: string }, password = NEW_PASSWORD) =>
  client.call(authContract.resetPassword, { query, body: { password } }, from())

const erase = ({ user, as, password }: RegisteredUser) =>
  client.call(usersContract.eraseUser, { params: { id: user.id }, body: { password } }, as)

/** The sessions of a user that can still be used, whoever has their tokens. */
async function openSessions({ user }: RegisteredUser): Promise<string[]> {
  const rows = await kit.open.database
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

const isOpen = async ({ user }: RegisteredUser, { access }: SessionTokens) =>
  (
    await client.call(
      usersContract.getUser,
      { params: { id: user.id } },
      { accessToken: access.token },
    )
  ).status === 200

/** One user's change among logins with the older password and refreshes of another session. */
async function race(user: RegisteredUser, makeChange: () => Promise<{ status: number }>) {
  const other = (await login(user)).body.data.tokens
  const calls = [
    ...Array.from({ length: LOGINS }, () => () => login(user)),
    () => refresh(other),
    () => refresh(other),
  ]
  const at = Math.floor(Math.random() * (calls.length + 1))
  const started = calls.slice(0, at).map((call) => call())
  const changed = makeChange()
  started.push(...calls.slice(at).map((call) => call()))
  const replies = await Promise.all(started)
  expect((await changed).status).toBe(204)
  for (const reply of replies) expect([200, 401]).toContain(reply.status)
  const given = replies.flatMap((reply) => {
    if (reply.status !== 200) return []
    return 'data' in reply.body ? [reply.body.data.tokens] : [reply.body]
  })
  return [...given, other]
}

test('no session outlives a new password by mail that it was there before', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const link = await resetLinkOf(user)
    const given = await race(user, () => reset(link))
    expect(await openSessions(user)).toEqual([])
    for (const tokens of given.slice(-2)) {
      expect(await isOpen(user, tokens)).toBe(false)
      expect((await refresh(tokens)).status).toBe(401)
    }
    expect((await login(user)).status).toBe(401)
  }
})

test('a change of the password leaves the session that made it, and no other', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const [own] = await openSessions(user)
    const given = await race(user, () => change(user))
    expect(await openSessions(user)).toEqual([own])
    expect(await isOpen(user, user.tokens)).toBe(true)
    for (const tokens of given.slice(-2)) expect((await refresh(tokens)).status).toBe(401)
  }
})

test('nothing of a session is left of a user who is erased meanwhile', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const given = await race(user, () => erase(user))
    const left = await kit.open.database
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.user.id)
      .execute()
    expect(left).toEqual([])
    for (const tokens of given.slice(-2)) expect((await refresh(tokens)).status).toBe(401)
  }
})

test('an address that is proved in the middle of the erasure holds nothing up', async () => {
  const user = await aUser({ client })
  await client.call(authContract.sendVerificationEmail, {}, user.as)
  const query = { token: await mailedToken(user, '/verify-email?') }
  const { database } = kit.open
  const verified = await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, user.user.id)
    const reply = client.call(authContract.verifyEmail, { query }, user.as)
    await expectWaiting(database, 1)
    await eraseAccountRows(transaction, user.user.id)
    return { reply }
  })
  expect((await verified.reply).refusal.reason).toBe('LinkInvalid')
})

test('of a reset, a change and an erasure at once, none fails and no session is left', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const link = await resetLinkOf(user)
    const stolen = (await login(user)).body.data.tokens
    const used = (await refresh(stolen)).body
    await kit.passTime(31_000)
    const replies = await Promise.all([
      reset(link),
      refresh(stolen),
      erase(user),
      change(user),
      client.call(authContract.forgotPassword, { body: { email: user.email } }, from()),
      refresh(used),
    ])
    for (const reply of replies) expect(reply.status).toBeLessThan(500)
    // A reset or a change that came first has ended the session that asks for it.
    expect([204, 400, 401]).toContain(replies[2].status)
    expect(await isOpen(user, used)).toBe(false)
  }
})

test('of many changes that prove the same password, one is made', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const passwords = Array.from({ length: 4 }, (_, index) => `another-passw0rd-${index}`)
    const replies = await Promise.all(passwords.map((one) => change(user, one)))
    const made = passwords.filter((_, index) => replies[index]?.status === 204)
    expect(made).toHaveLength(1)
    const right = await login({ email: user.email, password: made[0] ?? '' })
    expect(right.status).toBe(200)
  }
})

test('a thief’s change that was proved before the owner’s reset does not undo it', async () => {
  const user = await aUser({ client })
  const link = await resetLinkOf(user)
  afterProof = async () => {
    afterProof = async () => {}
    expect((await reset(link)).status).toBe(204)
  }
  expect((await change(user, 'the-thiefs-passw0rd')).refusal.reason).toBe('WrongPassword')
  expect((await login({ ...user, password: 'the-thiefs-passw0rd' })).status).toBe(401)
  expect((await login({ ...user, password: NEW_PASSWORD })).status).toBe(200)
})

test('an erasure that was proved before the owner’s reset erases nothing', async () => {
  const user = await aUser({ client })
  const link = await resetLinkOf(user)
  afterProof = async () => {
    afterProof = async () => {}
    expect((await reset(link)).status).toBe(204)
  }
  expect((await erase(user)).refusal.reason).toBe('Unauthenticated')
  expect((await login({ ...user, password: NEW_PASSWORD })).status).toBe(200)
})

test('a thief’s change of two-factor login that was proved before the owner’s reset is refused', async () => {
  for (const name of ['endTwoFactor', 'renewRecoveryCodes'] as const) {
    const user = await aUser({ client })
    const app = await turnOnTwoFactor({ ...kit, client }, user)
    const body = { password: user.password, code: await app.nextCode() }
    const link = await resetLinkOf(user)
    afterProof = async () => {
      afterProof = async () => {}
      expect((await reset(link)).status).toBe(204)
    }
    const reply = await client.call(authContract[name], { body }, user.as)
    expect(reply.refusal.reason).toBe('Unauthenticated')
    const asked = { email: user.email, password: NEW_PASSWORD }
    expect((await login(asked)).refusal.reason).toBe('TwoFactorRequired')
    const [code] = app.recoveryCodes
    const back = await client.call(authContract.login, { body: { ...asked, code } }, from())
    expect(back.status).toBe(200)
  }
})

test('a thief’s app that was counted before the owner’s reset is not turned on', async () => {
  const user = await aUser({ client })
  const link = await resetLinkOf(user)
  const started = await client.call(
    authContract.startTwoFactor,
    { body: { password: user.password } },
    user.as,
  )
  const body = { code: authenticatorFor(kit, started.body.secret).code() }
  afterProof = async () => {
    afterProof = async () => {}
    expect((await reset(link)).status).toBe(204)
  }
  const reply = await client.call(authContract.confirmTwoFactor, { body }, user.as)
  expect(reply.refusal.reason).toBe('Unauthenticated')
  expect((await login({ ...user, password: NEW_PASSWORD })).status).toBe(200)
})

test('a reset that was mailed before a change of the password is void after it', async () => {
  const user = await aUser({ client })
  const link = await resetLinkOf(user)
  expect((await change(user)).status).toBe(204)
  expect((await reset(link, 'a-third-passw0rd')).refusal.reason).toBe('LinkInvalid')
  expect((await login({ ...user, password: NEW_PASSWORD })).status).toBe(200)
})

test('a login that was proved before two-factor login was turned on needs the code', async () => {
  const user = await aUser({ client })
  let recoveryCodes: string[] = []
  afterProof = async () => {
    afterProof = async () => {}
    recoveryCodes = (await turnOnTwoFactor({ ...kit, client }, user)).recoveryCodes
  }
  const before = await openSessions(user)
  expect((await login(user)).refusal.reason).toBe('TwoFactorRequired')
  expect(await openSessions(user)).toEqual(before)
  expect(recoveryCodes).toHaveLength(10)
})

test('an erasure that was proved before two-factor login was turned on needs the code', async () => {
  const user = await aUser({ client })
  await kit.passTime(11 * 60_000)
  const { access } = (await refresh(user.tokens)).body
  const owner = { ...user, as: { accessToken: access.token } }
  const turnOn = async () => {
    afterProof = async () => {}
    await turnOnTwoFactor({ ...kit, client }, owner)
  }
  // First comes the proof of the password, and then the count of the erasure.
  afterProof = async () => {
    afterProof = turnOn
  }
  const { refusal } = await erase(owner)
  expect(refusal.errors?.map(({ path }) => path)).toEqual(['code'])
  expect((await login(user)).refusal.reason).toBe('TwoFactorRequired')
})

test('no login without a code comes after two-factor login was turned on', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await aUser({ client })
    const body = { password: user.password }
    const { secret } = (await client.call(authContract.startTwoFactor, { body }, user.as)).body
    const code = authenticatorFor(kit, secret).code()
    const confirm = () => client.call(authContract.confirmTwoFactor, { body: { code } }, user.as)
    const logins = Array.from({ length: LOGINS }, () => login(user))
    const [confirmed, ...replies] = await Promise.all([confirm(), ...logins, login(user)])
    expect(confirmed.status).toBe(200)
    for (const reply of replies) expect([200, 401]).toContain(reply.status)
    const late = await kit.open.database
      .selectFrom('sessions')
      .innerJoin('two_factors', 'two_factors.account_id', 'sessions.user_id')
      .select('sessions.id')
      .where('sessions.user_id', '=', user.user.id)
      .whereRef('sessions.started_at', '>', 'two_factors.confirmed_at')
      .execute()
    expect(late).toEqual([])
  }
})
