import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { usersContract } from '#contract/users.ts'
import type { Mail } from '#server/ports/mail.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { LOCATION_TTL_MS, LOCATIONS_MAX } from '#server/use-cases/sessions/known-locations.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36'
const newerChrome = chrome.replace('140', '141')
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const loginFrom = (user: RegisteredUser, remoteAddress: string, userAgent: string) =>
  kit.client.call(
    authContract.login,
    { body: { email: user.email, password: user.password } },
    { remoteAddress, headers: { 'user-agent': userAgent } },
  )

const refresh = async (token: string) =>
  kit.client.call(
    authContract.refreshTokens,
    { body: { refresh_token: token } },
    { remoteAddress: anAddress() },
  )

async function mailsTo({ email }: RegisteredUser, about: string): Promise<Mail[]> {
  await sendMails(kit.services)
  return kit.mailbox.taken.filter(({ to, subject }) => to === email && subject.includes(about))
}

describe('a login from a place that was not seen before', () => {
  test('sends a mail with device, time and address', async () => {
    const user = await aUser(kit)
    expect(await mailsTo(user, 'new login')).toEqual([])
    await loginFrom(user, '203.0.113.9', chrome)
    const [mail] = await mailsTo(user, 'new login')
    expect(mail?.text).toContain('Device: Chrome on Windows')
    expect(mail?.text).toContain('IP address: 203.0.113.9')
    expect(mail?.text).toMatch(/When: \d+ \w+ \d{4} at \d\d:\d\d UTC/)
    expect(mail?.text).toContain('/forgot-password')
  })

  test('is mailed once for a device and its network, not again for a newer version', async () => {
    const user = await aUser(kit)
    await loginFrom(user, '203.0.113.10', chrome)
    await loginFrom(user, '203.0.113.200', newerChrome)
    expect(await mailsTo(user, 'new login')).toHaveLength(1)
    await loginFrom(user, '203.0.113.10', safari)
    expect(await mailsTo(user, 'new login')).toHaveLength(2)
    await loginFrom(user, '192.0.2.10', safari)
    expect(await mailsTo(user, 'new login')).toHaveLength(3)
    await loginFrom(user, '203.0.113.11', chrome)
    expect(await mailsTo(user, 'new login')).toHaveLength(3)
  })

  test('is mailed as well where all known places are forgotten', async () => {
    const user = await aUser(kit)
    await kit.passTime(LOCATION_TTL_MS + 1_000)
    await deleteExpiredRecords(kit.services)
    await loginFrom(user, '203.0.113.14', chrome)
    expect(await mailsTo(user, 'new login')).toHaveLength(1)
  })

  test('is told apart from the places that were used last, of which so many are remembered', async () => {
    const user = await aUser(kit)
    const place = (nth: number) => `198.51.${nth}.7`
    // One more than there is room for, which the place of the registration takes as well.
    for (let nth = 0; nth <= LOCATIONS_MAX; nth += 1) {
      await loginFrom(user, place(nth), chrome)
      await kit.passTime(1_000)
      // It is the older of two, and is used last.
      if (nth === 1) await loginFrom(user, place(0), chrome)
    }
    // Only so many are mailed in a day.
    await kit.passTime(24 * 60 * 60_000)
    const { length } = await mailsTo(user, 'new login')
    await loginFrom(user, place(LOCATIONS_MAX - 1), chrome)
    await loginFrom(user, place(0), chrome)
    expect(await mailsTo(user, 'new login')).toHaveLength(length)
    await loginFrom(user, place(1), chrome)
    expect(await mailsTo(user, 'new login')).toHaveLength(length + 1)
  })

  test('no table remembers where that was once the session is gone, but as a keyed hash', async () => {
    const user = await aUser(kit)
    await loginFrom(user, '203.0.113.66', chrome)
    const rows = await kit.open.database
      .selectFrom('login_places')
      .selectAll()
      .where('user_id', '=', user.user.id)
      .execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|Chrome/)
  })
})

describe('a stolen refresh token', () => {
  test('used after its owner’s ends the session for both, and the owner gets a mail', async () => {
    const user = await aUser(kit)
    const stolen = user.tokens.refresh.token
    const owners = (await refresh(stolen)).body
    await kit.passTime(31_000)
    expect((await refresh(stolen)).refusal.reason).toBe('RefreshTokenInvalid')
    const get = (accessToken: string) =>
      kit.client.call(usersContract.getUser, { params: { id: user.user.id } }, { accessToken })
    expect((await get(owners.access.token)).status).toBe(401)
    expect((await refresh(owners.refresh.token)).status).toBe(401)
    const mails = await mailsTo(user, 'ended a session')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('used a second time')
    await refresh(stolen)
    expect(await mailsTo(user, 'ended a session')).toHaveLength(1)
  })

  test('used before its owner’s is discovered as soon as the owner returns', async () => {
    const user = await aUser(kit)
    const stolen = user.tokens.refresh.token
    const thiefs = (await refresh(stolen)).body
    await kit.passTime(60_000)
    expect((await refresh(stolen)).status).toBe(401)
    const reply = await kit.client.call(
      usersContract.getUser,
      { params: { id: user.user.id } },
      { accessToken: thiefs.access.token },
    )
    expect(reply.status).toBe(401)
    expect((await refresh(thiefs.refresh.token)).status).toBe(401)
  })
})

describe('a name', () => {
  test('appears in mails only once the address is proved to be its own', async () => {
    const user = await aUser(kit, { first_name: 'Win at http://evil.example' })
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const [mail] = await mailsTo(user, 'Verify')
    expect(mail?.text).toContain('Hello,')
    expect(mail?.text).not.toContain('evil.example')
    expect(mail?.html).not.toContain('evil.example')

    const query = { token: linkTokenFor(kit.mailbox, user.email) }
    await kit.client.call(authContract.verifyEmail, { query }, user.as)
    await loginFrom(user, '203.0.113.9', chrome)
    expect((await mailsTo(user, 'new login'))[0]?.text).toContain(
      'Hello Win at http://evil.example,',
    )
  })
})

describe('sessions', () => {
  test('are listed as a person recognises them', async () => {
    const user = await aUser(kit)
    await loginFrom(user, '203.0.113.12', safari)
    const params = { id: user.user.id }
    const { body } = await kit.client.call(usersContract.listSessions, { params }, user.as)
    expect(body.find((session) => !session.is_current)).toMatchObject({
      device: 'Safari on iPhone',
      address: '203.0.113.12',
      user_agent: safari,
    })
  })

  test('show where they were last refreshed from', async () => {
    const user = await aUser(kit)
    const remoteAddress = '192.0.2.55'
    const body = { refresh_token: user.tokens.refresh.token }
    const tokens = await kit.client.call(authContract.refreshTokens, { body }, { remoteAddress })
    const params = { id: user.user.id }
    const as = { accessToken: tokens.body.access.token }
    const sessions = (await kit.client.call(usersContract.listSessions, { params }, as)).body
    expect(sessions.map(({ address }) => address)).toEqual([remoteAddress])
  })

  test('are ended everywhere at once, here as well', async () => {
    const user = await aUser(kit)
    const elsewhere = (await loginFrom(user, '203.0.113.13', safari)).body.data.tokens
    const params = { id: user.user.id }
    const end = () => kit.client.call(usersContract.endSessions, { params }, user.as)
    expect((await end()).status).toBe(204)
    expect((await end()).status).toBe(401)
    for (const token of [user.tokens.refresh.token, elsewhere.refresh.token]) {
      expect((await refresh(token)).status).toBe(401)
    }
    expect((await loginFrom(user, '203.0.113.13', safari)).status).toBe(200)
  })
})
