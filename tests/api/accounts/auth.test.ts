import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { usersContract } from '#contract/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aRegistration, aUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const login = (email: string, password: string, remoteAddress = anAddress()) =>
  kit.client.call(authContract.login, { body: { email, password } }, { remoteAddress })

const refresh = (token: string) =>
  kit.client.call(
    authContract.refreshTokens,
    { body: { refresh_token: token } },
    { remoteAddress: anAddress() },
  )

const getUser = (id: string, accessToken: string) =>
  kit.client.call(usersContract.getUser, { params: { id } }, { accessToken })

describe('registering', () => {
  test('makes an account and logs it in', async () => {
    const body = aRegistration()
    const reply = await kit.client.call(authContract.register, { body })
    expect(reply.status).toBe(201)
    const { user, tokens } = reply.body.data
    expect(user).toMatchObject({
      first_name: body.first_name,
      last_name: body.last_name,
      nationality: 'GB',
      mobile: '+44 7911123456',
      email: body.email,
      is_email_verified: false,
      tokens: { base: 0, bonuses: 0, total: 0 },
      paid_amount_fiat: 0,
      language: 'en',
    })
    expect((await getUser(user.id, tokens.access.token)).body).toEqual(user)
    const lifeMs = Date.parse(tokens.access.expires) - kit.clock.now().getTime()
    expect(lifeMs / 60_000).toBeCloseTo(15, 0)
  })

  test('needs no phone number', async () => {
    const { mobile: _, ...body } = aRegistration()
    const reply = await kit.client.call(authContract.register, { body })
    expect(reply.body.data.user.mobile).toBeNull()
  })

  test('two spellings of an address are one account', async () => {
    const { email } = await aUser(kit)
    const body = aRegistration({ email: email.toUpperCase() })
    const reply = await kit.client.call(
      authContract.register,
      { body },
      { remoteAddress: anAddress() },
    )
    expect(reply.status).toBe(409)
    expect(reply.refusal.message).toBe('Email is already registered')
    expect((await login(email.toUpperCase(), body.password)).status).toBe(200)
  })

  test('of many at once with one address, one gets it', async () => {
    const body = aRegistration()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        kit.client.call(authContract.register, { body }, { remoteAddress: anAddress() }),
      ),
    )
    const statuses = replies.map((reply) => reply.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
  })

  test('reports a taken address only a few times to one network', async () => {
    const { email } = await aUser(kit)
    const remoteAddress = anAddress()
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries += 1) {
      const body = aRegistration({ email })
      const reply = await kit.client.call(authContract.register, { body }, { remoteAddress })
      statuses.push(reply.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429])
  })

  test('tells one connection of sixty addresses an hour at most', async () => {
    const { email } = await aUser(kit)
    const remoteAddress = anAddress()
    const register = async (body = aRegistration()) =>
      (await kit.client.call(authContract.register, { body }, { remoteAddress })).status
    for (let tries = 0; tries < 59; tries += 1) await register(aRegistration({ email }))
    expect(await register()).toBe(201)
    expect(await register()).toBe(429)
  })

  test('a password is stored as an argon2id hash alone', async () => {
    const { user, password } = await aUser(kit)
    const row = await kit.open.database
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(row)).not.toContain(password)
  })
})

describe('a referral', () => {
  const referrerOf = async (referredBy: unknown) => {
    const { user } = await aUser(kit, { referrals: { referred_by: referredBy as string } })
    const row = await kit.open.database
      .selectFrom('users')
      .select('referrer_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    return row.referrer_id
  }

  test('is counted for the referrer', async () => {
    const referrer = await aUser(kit)
    expect(await referrerOf(referrer.user.id)).toBe(referrer.user.id)
    const params = { id: referrer.user.id }
    const stats = await kit.client.call(usersContract.getReferrals, { params }, referrer.as)
    expect(stats.body).toEqual({ referred: 1, earned_tokens: 0 })
  })

  test.each([
    '',
    'nobody',
    '00000000-0000-4000-8000-000000000000',
    "'; drop table users; --",
    'x'.repeat(10_000),
    null,
    5,
    { id: 'nobody' },
  ])('by %j is ignored', async (referredBy) => {
    expect(await referrerOf(referredBy)).toBeNull()
  })
})

describe('logging in', () => {
  test('gives the user and tokens that work', async () => {
    const { user, email, password } = await aUser(kit)
    const { data } = (await login(` ${email} `, password)).body
    expect(data.user).toEqual(user)
    expect((await getUser(user.id, data.tokens.access.token)).status).toBe(200)
  })

  test('does not reveal whether the address or the password was wrong', async () => {
    const { email } = await aUser(kit)
    const replies = [
      await login(email, 'not-the-passw0rd'),
      await login('nobody@example.com', 'not-the-passw0rd'),
      await login('not an address', 'not-the-passw0rd'),
    ]
    for (const { status, refusal } of replies) {
      expect(status).toBe(401)
      expect({ ...refusal, request_id: '' }).toEqual({
        code: 401,
        message: 'Incorrect email or password',
        reason: 'WrongCredentials',
        request_id: '',
      })
    }
  })

  test('a guesser at one place is stopped, the owner elsewhere is not', async () => {
    const { email, password } = await aUser(kit)
    const guesser = anAddress()
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries += 1) {
      statuses.push((await login(email, `wrong-${tries}`, guesser)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect((await login(email, password)).status).toBe(200)

    const refused = await login(email, password, guesser)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await kit.passTime(15 * 60_000)
    expect((await login(email, password, guesser)).status).toBe(200)
  })
})

describe('a session', () => {
  test('ends with the logout, at once and for both tokens', async () => {
    const { user, tokens, as } = await aUser(kit)
    expect((await kit.client.call(authContract.logout, {}, as)).status).toBe(204)
    expect((await getUser(user.id, tokens.access.token)).status).toBe(401)
    expect((await refresh(tokens.refresh.token)).status).toBe(401)
    expect((await kit.client.call(authContract.logout, {}, as)).status).toBe(401)
  })

  test('needs new tokens after 15 minutes, and gets them', async () => {
    const { user, tokens } = await aUser(kit)
    await kit.passTime(15 * 60_000 + 1_000)
    expect((await getUser(user.id, tokens.access.token)).status).toBe(401)
    const fresh = (await refresh(tokens.refresh.token)).body
    expect((await getUser(user.id, fresh.access.token)).status).toBe(200)
  })

  test('expires after 30 days without use', async () => {
    const { tokens } = await aUser(kit)
    await kit.passTime(30 * 24 * 60 * 60_000 + 1_000)
    expect((await refresh(tokens.refresh.token)).status).toBe(401)
  })

  test('the tokens that it had before are of no use after a refresh', async () => {
    const { user, tokens } = await aUser(kit)
    await refresh(tokens.refresh.token)
    expect((await getUser(user.id, tokens.access.token)).status).toBe(401)
  })

  test('50 refreshes at once with one token all give the same successor', async () => {
    const { user, tokens } = await aUser(kit)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => refresh(tokens.refresh.token)),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 50 }, () => 200))
    const successors = new Set(replies.map((reply) => JSON.stringify(reply.body)))
    expect(successors.size).toBe(1)
    const successor = replies[0]?.body
    expect((await getUser(user.id, successor?.access.token ?? '')).status).toBe(200)
  })

  test('a lost answer can be asked for again for 30 seconds', async () => {
    const { tokens } = await aUser(kit)
    const first = (await refresh(tokens.refresh.token)).body
    await kit.passTime(5_000)
    expect((await refresh(tokens.refresh.token)).body).toEqual(first)
    expect((await refresh(first.refresh.token)).status).toBe(200)
  })

  test('ends when a token is used again later: one of the two holders stole it', async () => {
    const { user, tokens } = await aUser(kit)
    const first = (await refresh(tokens.refresh.token)).body
    await kit.passTime(60_000)
    expect((await refresh(tokens.refresh.token)).status).toBe(401)
    expect((await getUser(user.id, first.access.token)).status).toBe(401)
    expect((await refresh(first.refresh.token)).status).toBe(401)
  })

  test('three tabs may race: a token from two refreshes ago gives the newest for 30 seconds', async () => {
    const { user, tokens } = await aUser(kit)
    const first = (await refresh(tokens.refresh.token)).body
    const second = (await refresh(first.refresh.token)).body
    await kit.passTime(20_000)
    expect((await refresh(tokens.refresh.token)).body).toEqual(second)
    expect((await getUser(user.id, second.access.token)).status).toBe(200)
  })

  test('ends when that one comes later, though the newest is just a moment old', async () => {
    const { tokens } = await aUser(kit)
    const first = (await refresh(tokens.refresh.token)).body
    await kit.passTime(31_000)
    const second = (await refresh(first.refresh.token)).body
    expect((await refresh(tokens.refresh.token)).status).toBe(401)
    expect((await refresh(second.refresh.token)).status).toBe(401)
  })

  test('ends when a token from three refreshes ago comes back, however soon', async () => {
    const { tokens } = await aUser(kit)
    const first = (await refresh(tokens.refresh.token)).body
    const second = (await refresh(first.refresh.token)).body
    const third = (await refresh(second.refresh.token)).body
    expect((await refresh(tokens.refresh.token)).status).toBe(401)
    expect((await refresh(third.refresh.token)).status).toBe(401)
  })

  test('asks for the password again after 90 days, however often it is used', async () => {
    const { tokens } = await aUser(kit)
    let newest = tokens
    for (let days = 0; days < 80; days += 20) {
      await kit.passTime(20 * 24 * 60 * 60_000)
      newest = (await refresh(newest.refresh.token)).body
    }
    const leftMs = Date.parse(newest.refresh.expires) - kit.clock.now().getTime()
    expect(leftMs / 86_400_000).toBeCloseTo(10, 1)
    await kit.passTime(10 * 24 * 60 * 60_000)
    expect((await refresh(newest.refresh.token)).status).toBe(401)
  })

  test.each(['x', 'x'.repeat(200), '😀'])('no refresh token is %j', async (token) => {
    expect((await refresh(token)).refusal.reason).toBe('RefreshTokenInvalid')
  })

  test('a forged token that names the session does not touch it', async () => {
    const { tokens } = await aUser(kit)
    const forged = `${tokens.refresh.token.slice(0, -6)}AAAAAA`
    expect((await refresh(forged)).status).toBe(401)
    expect((await refresh(tokens.refresh.token)).status).toBe(200)
  })

  test('no table holds a token', async () => {
    const { tokens, user } = await aUser(kit)
    const body = { email: user.email }
    await kit.client.call(authContract.forgotPassword, { body }, { remoteAddress: anAddress() })
    await sendMails(kit.services)
    const mail = kit.mailbox.taken.findLast(({ to }) => to === user.email)
    const linkToken = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none was mailed'
    const tables = await Promise.all([
      kit.open.database.selectFrom('sessions').selectAll().execute(),
      kit.open.database.selectFrom('mailed_links').selectAll().execute(),
      kit.open.database.selectFrom('outbox_mails').select(['params', 'unique_key']).execute(),
    ])
    const stored = JSON.stringify(tables, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    for (const token of [tokens.access.token, tokens.refresh.token, linkToken]) {
      expect(stored).not.toContain(token)
      expect(stored).not.toContain(JSON.stringify([...Buffer.from(token)]).slice(1, -1))
    }
  })
})

describe('an access token', () => {
  test.each([
    ['none', undefined],
    ['an empty one', 'Bearer '],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['nonsense', 'Bearer nonsense'],
    ['one with a NUL', 'Bearer a\u0000b'],
  ])('is needed: %s is a 401', async (_, authorization) => {
    const { user } = await aUser(kit)
    const reply = await kit.client.callWith(
      usersContract.getUser,
      { params: { id: user.id } },
      { headers: authorization === undefined ? {} : { authorization } },
    )
    expect(reply.refusal.reason).toBe('Unauthenticated')
    expect(reply.headers['www-authenticate']).toBe('Bearer')
  })
})
