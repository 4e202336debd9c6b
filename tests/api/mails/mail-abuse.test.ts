import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { usersContract } from '#contract/users.ts'
import { buildApp } from '#server/app.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { allRoutes } from '#server/http/api/all-routes.ts'
import { createSmtpSender } from '#server/mail/smtp-sender.ts'
import { secret } from '#server/payments/variables.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aRegistration, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { createClient } from '#tests/kit/servers/client.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startSmtpServer, type SmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE = 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp({ settings: { publicUrl: 'https://presale.example' } })
})
afterAll(() => kit.close())
beforeEach(() => {
  kit.complaints.length = 0
})

const from = () => ({ remoteAddress: anAddress() })

const forgot = (email: string, headers: Record<string, string> = {}) =>
  kit.client.call(authContract.forgotPassword, { body: { email } }, { ...from(), headers })

async function mailsTo(email: string) {
  await sendMails(kit.services)
  return kit.mailbox.taken.filter(({ to }) => to === email)
}

test('what somebody waits for is sent before what a rush has left', async () => {
  const { user } = await aUser(kit)
  for (let nth = 0; nth < 60; nth += 1) {
    await enqueueMail(kit.open.database, {
      userId: user.id,
      kind: 'password_changed',
      at: kit.clock.now(),
    })
  }
  await forgot(user.email)
  // One step sends fewer than there are.
  expect((await mailsTo(user.email))[0]?.text).toContain('reset-password')
  expect(await mailsTo(user.email)).toHaveLength(50)
})

describe('somebody else’s mailbox cannot be flooded', () => {
  test('by asking for a new password: once a minute, ten times a day', async () => {
    const { email } = await aUser(kit)
    await Promise.all(Array.from({ length: 100 }, () => forgot(email)))
    expect(await mailsTo(email)).toHaveLength(1)
    for (let minute = 0; minute < 60; minute += 1) {
      await kit.passTime(MINUTE)
      await Promise.all([forgot(email), forgot(` ${email.toUpperCase()} `.trim())])
      await sendMails(kit.services)
    }
    expect(await mailsTo(email)).toHaveLength(10)
  })

  test('by asking for the verification: once a minute, ten times a day', async () => {
    const user = await aUser(kit)
    const ask = () => kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    await Promise.all(Array.from({ length: 100 }, ask))
    expect(await mailsTo(user.email)).toHaveLength(1)
    for (let minute = 0; minute < 14; minute += 1) {
      await kit.passTime(MINUTE)
      await ask()
      await sendMails(kit.services)
    }
    expect(await mailsTo(user.email)).toHaveLength(10)
  })

  test('by changing the password to and fro: ten times a day', async () => {
    const user = await aUser(kit)
    const statuses: number[] = []
    let current_password = user.password
    for (let nth = 1; nth <= 12; nth += 1) {
      const body = { current_password, password: `passw0rd-${nth}` }
      const { status } = await kit.client.call(authContract.changePassword, { body }, user.as)
      if (status === 204) current_password = body.password
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(204), 429, 429])
    expect(await mailsTo(user.email)).toHaveLength(10)
  })

  test('by logging in from one new place after the other: ten times a day', async () => {
    const { email, password } = await aUser(kit)
    const loginFromNewPlaces = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        await kit.client.call(authContract.login, { body: { email, password } }, from())
      }
    }
    await loginFromNewPlaces(12)
    expect(await mailsTo(email)).toHaveLength(10)
    await kit.passTime(24 * 60 * MINUTE)
    await loginFromNewPlaces(1)
    expect(await mailsTo(email)).toHaveLength(11)
  })

  test('by new recovery codes and two-factor login on and off: ten times a day', async () => {
    const user = await aUser(kit)
    const { password } = user
    const app = await turnOnTwoFactor(kit, user)
    const renew = async () => {
      const body = { password, code: await app.nextCode() }
      return (await kit.client.call(authContract.renewRecoveryCodes, { body }, user.as)).status
    }
    // A wrong code changes nothing, and is not counted.
    const wrong = { body: { password, code: '000000' } }
    await kit.client.call(authContract.renewRecoveryCodes, wrong, user.as)
    for (let nth = 0; nth < 9; nth += 1) expect(await renew()).toBe(200)
    expect(await renew()).toBe(429)
    const body = { password, code: await app.nextCode() }
    expect((await kit.client.call(authContract.endTwoFactor, { body }, user.as)).status).toBe(429)
    expect(await mailsTo(user.email)).toHaveLength(10)
  })

  test('by using refresh tokens twice: ten times a day, whoever has the address by then', async () => {
    const { email } = aRegistration()
    const reuseTokens = async (count: number) => {
      const user = await aUser(kit, { email })
      for (let nth = 0; nth < count; nth += 1) {
        const body = { email, password: user.password }
        const { tokens } = (await kit.client.call(authContract.login, { body }, from())).body.data
        const reused = { body: { refresh_token: tokens.refresh.token } }
        const refresh = (token: typeof reused) =>
          kit.client.call(authContract.refreshTokens, token, from())
        const next = (await refresh(reused)).body.refresh.token
        await kit.passTime(MINUTE)
        expect((await refresh(reused)).status).toBe(401)
        expect((await refresh({ body: { refresh_token: next } })).status).toBe(401)
      }
      return user
    }
    const endings = async () =>
      (await mailsTo(email)).filter(({ subject }) => subject.startsWith('We ended a session'))
    const { user, password, as } = await reuseTokens(12)
    expect(await endings()).toHaveLength(10)
    const own = { params: { id: user.id }, body: { password } }
    expect((await kit.client.call(usersContract.eraseUser, own, as)).status).toBe(204)
    await reuseTokens(1)
    expect(await endings()).toHaveLength(10)
  })

  test('by registering it and erasing it again and again', async () => {
    const { email } = aRegistration()
    const erasures: number[] = []
    do {
      const { user, as } = await aUser(kit, { email })
      for (let mails = 0; mails < 3; mails += 1) {
        await kit.passTime(MINUTE)
        await kit.client.call(authContract.sendVerificationEmail, {}, as)
        await sendMails(kit.services)
      }
      const own = { params: { id: user.id }, body: undefined }
      erasures.push((await kit.client.call(usersContract.eraseUser, own, as)).status)
    } while (erasures.at(-1) === 204 && erasures.length < 8)
    expect(erasures).toEqual([204, 204, 204, 204, 204, 429])
    // Ten verifications and five farewells.
    expect(await mailsTo(email)).toHaveLength(15)
  })

  test('by registering it again and again', async () => {
    const { email } = await aUser(kit)
    for (let tries = 0; tries < 20; tries += 1) {
      await kit.client.call(authContract.register, { body: aRegistration({ email }) }, from())
    }
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('a link in a mail', () => {
  test.each([
    [{ host: 'evil.example' }],
    [{ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }],
    [{ forwarded: 'host=evil.example;proto=http' }],
    [{ host: 'presale.example@evil.example' }],
    [{ host: 'evil.example:80', origin: 'https://evil.example', referer: 'https://evil.example/' }],
    [{ 'x-original-url': '/evil', 'x-rewrite-url': '/evil', 'x-host': 'evil.example' }],
  ])('leads to the configured address, whatever %j contains', async (headers) => {
    const { email } = await aUser(kit)
    const reply = await forgot(email, headers)
    expect(JSON.stringify(reply.headers)).not.toContain('evil')
    const [mail] = await mailsTo(email)
    const links = [...`${mail?.text} ${mail?.html}`.matchAll(/https?:\/\/[^\s"<>]+/g)]
    expect(links.length).toBeGreaterThan(2)
    for (const [link] of links) expect(new URL(link).origin).toBe('https://presale.example')
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('leaves no trace of its token in the log, whatever becomes of the call', async () => {
    const lines: unknown[] = []
    const note = (facts: Record<string, unknown>, message: string) => lines.push([facts, message])
    const log = { debug: note, info: note, warn: note, error: note }
    const app = await buildApp(
      { ...kit.services, log },
      { routes: allRoutes(true), webFolder: null, trustedProxies: 0 },
    )
    const client = createClient(app)
    const user = await aUser(kit)
    await forgot(user.email)
    await sendMails(kit.services)
    const query = { token: linkTokenFor(kit.mailbox, user.email) }
    const reset = (password: string) =>
      client.callWith(authContract.resetPassword, { query, body: { password } }, from())
    expect((await reset('short')).status).toBe(400)
    expect((await reset('another-passw0rd')).status).toBe(204)
    expect((await reset('another-passw0rd')).status).toBe(400)
    expect(lines.length).toBeGreaterThan(2)
    expect(JSON.stringify(lines)).not.toContain(query.token)
    expect(JSON.stringify(lines)).not.toContain('another-passw0rd')
    await app.close()
  })
})

describe('through a mail server', () => {
  let smtp: SmtpServer
  let sender: ReturnType<typeof createSmtpSender>
  let user: RegisteredUser
  beforeAll(async () => {
    smtp = await startSmtpServer()
    sender = createSmtpSender(secret(smtp.url), {
      name: 'HUH',
      address: 'no-reply@presale.example',
    })
    user = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    await sendMails(kit.services)
    const query = { token: linkTokenFor(kit.mailbox, user.email) }
    await kit.client.call(authContract.verifyEmail, { query }, user.as)
  })
  afterAll(async () => {
    sender.close()
    await smtp.close()
  })
  const sendAll = () => sendMails({ ...kit.services, mailSender: sender })
  const enqueue = (uniqueKey: string | null = null) =>
    enqueueMail(kit.open.database, {
      userId: user.user.id,
      kind: 'password_changed',
      params: {},
      uniqueKey,
      at: kit.clock.now(),
    })

  test('a sandbox’s mails are not shown to everybody as well', async () => {
    const shown = async () =>
      (await kit.client.call(sandboxContract.listMails, { query: { to: user.email } })).body
    const shownBefore = await shown()
    await enqueue()
    await sendAll()
    expect(smtp.taken).toHaveLength(1)
    expect(await shown()).toEqual(shownBefore)
  })

  test('no name adds a header, a recipient or a command', async () => {
    const piece = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      '\u0000',
      'Bcc: v@example.com',
      'RCPT TO:<v@x.example>',
      '\r\n.\r\n',
      '.',
      'MAIL FROM:<>',
      '<v@example.com>',
      '"',
      ',',
      ';',
      '=?utf-8?q?x?=',
      'a',
      '💎',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const takenBefore = smtp.taken.length
        const body = { first_name: pieces.join('') }
        const params = { id: user.user.id }
        const reply = await kit.client.callWith(usersContract.updateUser, { params, body }, user.as)
        expect([200, 400]).toContain(reply.status)
        await enqueue()
        await sendAll()
        const taken = smtp.taken.slice(takenBefore)
        expect(taken).toHaveLength(1)
        expect(taken[0]?.recipients).toEqual([user.email])
        const headers = taken[0]?.headers ?? ''
        const names = [...headers.matchAll(/^([\w-]+):/gm)].map(([, name]) => name?.toLowerCase())
        expect(names.toSorted()).toEqual([
          'auto-submitted',
          'content-type',
          'date',
          'from',
          'message-id',
          'mime-version',
          'subject',
          'to',
        ])
        expect(headers).not.toContain('example.com>,')
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    'a@example.com\r\nRCPT TO:<v@example.com>',
    'a@example.com, v@example.com',
    'a@example.com(v@example.com)',
    '"v@example.com"@example.com',
    'a@[127.0.0.1]',
    'a@example.com\u0000',
    'v@example.com>\r\nDATA',
    'ａ@example.com',
    'a@exаmple.com',
  ])('the address %j is registered by nobody', async (email) => {
    const reply = await kit.client.callWith(
      authContract.register,
      { body: aRegistration({ email }) },
      from(),
    )
    expect(reply.refusal.errors?.map(({ path }) => path)).toEqual(['email'])
  })

  test('that is down for an hour nothing is lost, and nothing is sent twice', async () => {
    const { port } = smtp
    await smtp.close()
    const keys = new Set<string>()
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute % 10 === 0) {
        const key = `down:${minute}`
        keys.add(key)
        await enqueue(key)
        await enqueue(key)
      }
      await sendAll()
      await kit.passTime(MINUTE)
    }
    expect(kit.complaints.length).toBeGreaterThan(10)
    smtp = await startSmtpServer({ port })
    for (let minute = 0; minute < 60; minute += 1) {
      await sendAll()
      await kit.passTime(MINUTE)
    }
    expect(smtp.taken).toHaveLength(keys.size)
    const ids = smtp.taken.map(({ headers }) => /^Message-ID: (.*)$/m.exec(headers)?.[1])
    expect(new Set(ids).size).toBe(keys.size)
    const unsent = await kit.open.database
      .selectFrom('outbox_mails')
      .select('id')
      .where('sent_at', 'is', null)
      .where('dropped_at', 'is', null)
      .execute()
    expect(unsent).toEqual([])
  })
})
