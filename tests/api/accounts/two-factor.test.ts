import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { authenticatorFor, turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE = 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const login = (user: RegisteredUser, code?: string, remoteAddress = anAddress()) =>
  kit.client.call(
    authContract.login,
    { body: { email: user.email, password: user.password, ...(code !== undefined && { code }) } },
    { remoteAddress },
  )

const state = async ({ as }: RegisteredUser) =>
  (await kit.client.call(authContract.getTwoFactor, {}, as)).body

const start = ({ as, password }: RegisteredUser) =>
  kit.client.call(authContract.startTwoFactor, { body: { password } }, as)

const confirm = ({ as }: RegisteredUser, code: string) =>
  kit.client.call(authContract.confirmTwoFactor, { body: { code } }, as)

const end = ({ as }: RegisteredUser, password: string, code: string) =>
  kit.client.call(authContract.endTwoFactor, { body: { password, code } }, as)

async function subjectsTo({ email }: RegisteredUser): Promise<string[]> {
  await sendMails(kit.services)
  return kit.mailbox.taken.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe('turning two-factor login on', () => {
  test('gives a secret that any authenticator app takes', async () => {
    const user = await aUser(kit)
    const { secret, uri } = (await start(user)).body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const link = new URL(uri)
    expect(link.protocol).toBe('otpauth:')
    expect(link.host).toBe('totp')
    expect(decodeURIComponent(link.pathname)).toBe(
      `/${kit.services.sale.project.name}:${user.email}`,
    )
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      issuer: kit.services.sale.project.name,
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })

  test('can be begun sixty times in ten minutes, also with the right password', async () => {
    const user = await aUser(kit)
    for (let time = 1; time <= 60; time += 1) expect((await start(user)).status).toBe(200)
    expect((await start(user)).refusal.reason).toBe('TooManyRequests')
    await kit.passTime(10 * MINUTE)
    expect((await start(user)).status).toBe(200)
  })

  test('changes nothing until a code confirms it', async () => {
    const user = await aUser(kit)
    const { secret } = (await start(user)).body
    expect(await state(user)).toEqual({ is_on: false, recovery_codes_left: 0 })
    expect((await login(user)).status).toBe(200)
    expect((await confirm(user, '000000')).refusal.reason).toBe('WrongCode')
    expect((await login(user)).status).toBe(200)

    const { recovery_codes } = (await confirm(user, authenticatorFor(kit, secret).code())).body
    expect(recovery_codes).toHaveLength(10)
    expect(new Set(recovery_codes).size).toBe(10)
    expect(await state(user)).toEqual({ is_on: true, recovery_codes_left: 10 })
    expect((await login(user)).refusal).toMatchObject({
      code: 401,
      message: 'Two-factor code required',
      reason: 'TwoFactorRequired',
    })
    expect(await subjectsTo(user)).toContain(
      `Two-factor login is on for your ${kit.services.sale.project.name} presale account`,
    )
  })

  test('needs the password, and only one app at a time', async () => {
    const user = await aUser(kit)
    const wrong = await start({ ...user, password: 'not-the-passw0rd' })
    expect(wrong.refusal.reason).toBe('WrongPassword')
    expect((await confirm(user, '123456')).refusal.reason).toBe('TwoFactorNotStarted')
    const first = (await start(user)).body.secret
    const second = (await start(user)).body.secret
    expect((await confirm(user, authenticatorFor(kit, first).code())).status).toBe(400)
    expect((await confirm(user, authenticatorFor(kit, second).code())).status).toBe(200)
    expect((await start(user)).refusal.reason).toBe('TwoFactorAlreadyOn')
    expect((await confirm(user, authenticatorFor(kit, second).code(1))).status).toBe(409)
  })

  test('no table holds the secret or a recovery code as they are', async () => {
    const user = await aUser(kit)
    const { secret } = (await start(user)).body
    const codes = (await confirm(user, authenticatorFor(kit, secret).code())).body.recovery_codes
    const stored = JSON.stringify([
      await kit.open.database.selectFrom('two_factors').select('sealed_secret').execute(),
      await kit.open.database.selectFrom('recovery_codes').selectAll().execute(),
      await kit.open.database.selectFrom('outbox_mails').select(['params', 'unique_key']).execute(),
    ])
    const hidden = [secret, ...codes, ...codes.map((code) => code.replace('-', ''))]
    for (const text of hidden) {
      expect(stored).not.toContain(text)
      expect(stored).not.toContain(JSON.stringify([...Buffer.from(text)]).slice(1, -1))
    }
  })

  test('a secret that is copied to another account opens nothing there', async () => {
    const [owner, thief] = [await aUser(kit), await aUser(kit)]
    const { secret } = (await start(owner)).body
    await start(thief)
    const database = kit.open.database
    const row = await database
      .selectFrom('two_factors')
      .select('sealed_secret')
      .where('account_id', '=', owner.user.id)
      .executeTakeFirstOrThrow()
    await database
      .updateTable('two_factors')
      .set(row)
      .where('account_id', '=', thief.user.id)
      .execute()
    const reply = await kit.client.callWith(
      authContract.confirmTwoFactor,
      { body: { code: authenticatorFor(kit, secret).code() } },
      thief.as,
    )
    expect(reply.status).toBe(500)
    kit.complaints.length = 0
  })
})

describe('logging in with two factors', () => {
  test('takes the code of the app, also a step early or late', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    await kit.passTime(2 * MINUTE)
    expect((await login(user, app.code(-2))).refusal.reason).toBe('WrongTwoFactorCode')
    expect((await login(user, app.code(2))).refusal.reason).toBe('WrongTwoFactorCode')
    expect((await login(user, app.code(-1))).status).toBe(200)
    expect((await login(user, app.code())).status).toBe(200)
    expect((await login(user, app.code(1))).status).toBe(200)
  })

  test('takes no code twice, not even the one that turned it on', async () => {
    const user = await aUser(kit)
    const { secret } = (await start(user)).body
    const app = authenticatorFor(kit, secret)
    const code = app.code()
    await confirm(user, code)
    expect((await login(user, code)).refusal.reason).toBe('WrongTwoFactorCode')
    const next = await app.nextCode()
    expect((await login(user, next)).status).toBe(200)
    expect((await login(user, next)).refusal.reason).toBe('WrongTwoFactorCode')
  })

  test('of many logins at once with one code, one gets in', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const [codeOfApp, recoveryCode = ''] = [await app.nextCode(), ...app.recoveryCodes]
    for (const code of [codeOfApp, recoveryCode]) {
      const replies = await Promise.all(
        Array.from({ length: 5 }, (_, index) => login(user, code, `172.16.${index}.1`)),
      )
      const statuses = replies.map((reply) => reply.status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 401)).toHaveLength(4)
    }
  })

  test('takes a recovery code once, however it is typed, and sends a mail about it', async () => {
    const user = await aUser(kit)
    const { recoveryCodes } = await turnOnTwoFactor(kit, user)
    const [first = '', second = '', third = ''] = recoveryCodes
    expect((await login(user, first)).status).toBe(200)
    expect((await login(user, first)).refusal.reason).toBe('WrongTwoFactorCode')
    expect((await login(user, second.toUpperCase())).status).toBe(200)
    expect((await login(user, third.replace('-', ''))).status).toBe(200)
    expect(await state(user)).toMatchObject({ recovery_codes_left: 7 })
    await sendMails(kit.services)
    const mails = kit.mailbox.taken.filter(
      ({ to, subject }) => to === user.email && subject.includes('recovery code'),
    )
    expect(mails.map(({ text }) => /You have (\d) left/.exec(text)?.[1])).toEqual(['9', '8', '7'])
  })

  test('the codes of one account are none for another', async () => {
    const [one, other] = [await aUser(kit), await aUser(kit)]
    const theirs = await turnOnTwoFactor(kit, other)
    await turnOnTwoFactor(kit, one)
    expect((await login(one, await theirs.nextCode())).status).toBe(401)
    expect((await login(one, theirs.recoveryCodes[0])).status).toBe(401)
    expect((await login(other, theirs.recoveryCodes[0])).status).toBe(200)
  })

  test('a wrong password does not reveal it, whatever the code', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const wrong = { ...user, password: 'not-the-passw0rd' }
    const bodies = [
      await login(wrong),
      await login(wrong, await app.nextCode()),
      await login(wrong, '000000'),
      await login({ ...wrong, email: 'nobody@example.com' }, '000000'),
    ].map(({ refusal }) => ({ ...refusal, request_id: '' }))
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect(bodies[0]).toMatchObject({ code: 401, reason: 'WrongCredentials' })
    // The code that came with a wrong password was not used up.
    expect((await login(user, app.code())).status).toBe(200)
  })

  test('is bounded by no number of right codes a day', async () => {
    const home = '198.51.100.9'
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    for (let nth = 0; nth < 52; nth += 1) {
      expect((await login(user, await app.nextCode(), home)).status).toBe(200)
    }
  })

  test('codes cannot be guessed one after the other, from however many places', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const guesses: string[] = []
    for (let guess = 0; guess < 30; guess += 1) {
      const { refusal } = await login(user, String(guess).padStart(6, '0'))
      guesses.push(refusal.reason)
    }
    expect(guesses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'WrongTwoFactorCode'))
    expect(guesses.slice(10)).toEqual(Array.from({ length: 20 }, () => 'TooManyRequests'))
    // Not even the right one, for who is where the owner never was.
    expect((await login(user, await app.nextCode())).status).toBe(429)
  })

  test('somebody who knows the password cannot keep the owner out by wrong codes', async () => {
    const home = '198.51.100.7'
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    expect((await login(user, await app.nextCode(), home)).status).toBe(200)
    for (let guess = 0; guess < 12; guess += 1) await login(user, '000000')
    expect((await login(user, '000000')).status).toBe(429)
    expect((await login(user, await app.nextCode(), home)).status).toBe(200)
  })

  test('a new password by mail does not get around it', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const from = { remoteAddress: anAddress() }
    await kit.client.call(authContract.forgotPassword, { body: { email: user.email } }, from)
    await sendMails(kit.services)
    const query = { token: linkTokenFor(kit.mailbox, user.email) }
    const changed = { ...user, password: 'another-passw0rd' }
    const body = { password: changed.password }
    expect((await kit.client.call(authContract.resetPassword, { query, body }, from)).status).toBe(
      204,
    )
    expect((await login(changed)).refusal.reason).toBe('TwoFactorRequired')
    expect((await login(changed, await app.nextCode())).status).toBe(200)
  })
})

describe('turning two-factor login off', () => {
  test('needs password and code, and sends a mail', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const code = await app.nextCode()
    expect((await end(user, 'not-the-passw0rd', code)).refusal.reason).toBe('WrongPassword')
    expect((await end(user, user.password, '000000')).refusal).toMatchObject({
      code: 400,
      reason: 'WrongCode',
    })
    expect((await end(user, user.password, code)).status).toBe(204)
    expect(await state(user)).toEqual({ is_on: false, recovery_codes_left: 0 })
    expect((await login(user)).status).toBe(200)
    expect((await end(user, user.password, code)).refusal.reason).toBe('TwoFactorNotOn')
    expect((await subjectsTo(user)).some((subject) => subject.includes('is off'))).toBe(true)
  })

  test('works with a recovery code for a user who has lost the phone', async () => {
    const user = await aUser(kit)
    const { recoveryCodes } = await turnOnTwoFactor(kit, user)
    expect((await end(user, user.password, recoveryCodes[4] ?? '')).status).toBe(204)
    expect((await login(user)).status).toBe(200)
  })

  test('is kept from no owner by whoever proves apps with a stolen session', async () => {
    const user = await aUser(kit)
    const refusals = async () => {
      const replies = Array.from({ length: 12 }, async () => await confirm(user, '000000'))
      return new Set((await Promise.all(replies)).map(({ refusal }) => refusal.reason))
    }
    expect(await refusals()).toEqual(new Set(['TwoFactorNotStarted']))
    const app = await turnOnTwoFactor(kit, user)
    expect(await refusals()).toEqual(new Set(['TwoFactorAlreadyOn']))
    expect((await end(user, user.password, await app.nextCode())).status).toBe(204)
  })

  test('cannot be guessed with a stolen session', async () => {
    const user = await aUser(kit)
    await turnOnTwoFactor(kit, user)
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await end(user, user.password, String(guess).padStart(6, '0'))).status)
    }
    expect(statuses.at(0)).toBe(400)
    expect(statuses.at(-1)).toBe(429)
    expect(await state(user)).toMatchObject({ is_on: true })
  })
})
