import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE = 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const from = () => ({ remoteAddress: anAddress() })

async function forgot(email: string) {
  return kit.client.call(authContract.forgotPassword, { body: { email } }, from())
}

async function reset(token: string, password = 'another-passw0rd') {
  return kit.client.call(
    authContract.resetPassword,
    { query: { token }, body: { password } },
    from(),
  )
}

async function mailedToken(email: string): Promise<string> {
  await sendMails(kit.services)
  return linkTokenFor(kit.mailbox, email)
}

async function status({ user, as }: RegisteredUser): Promise<number> {
  return (await kit.client.call(usersContract.getUser, { params: { id: user.id } }, as)).status
}

const login = (email: string, password: string) =>
  kit.client.call(authContract.login, { body: { email, password } }, from())

describe('a forgotten password', () => {
  test('is replaced by the mailed link, which ends every session and sends a mail about it', async () => {
    const user = await aUser(kit)
    expect((await forgot(user.email)).status).toBe(204)
    const token = await mailedToken(user.email)
    expect((await reset(token)).status).toBe(204)
    expect(await status(user)).toBe(401)
    expect((await login(user.email, user.password)).status).toBe(401)
    expect((await login(user.email, 'another-passw0rd')).status).toBe(200)
    await sendMails(kit.services)
    const mails = kit.mailbox.taken.filter(({ to }) => to === user.email)
    expect(mails.find(({ text }) => text.includes('was just changed'))?.subject).toContain(
      'password',
    )
  })

  test('lets those in at once who had tried too often, wherever they follow the link', async () => {
    const user = await aUser(kit)
    const atHome = from()
    const logIn = async (password: string) => {
      const body = { email: user.email, password }
      return (await kit.client.call(authContract.login, { body }, atHome)).status
    }
    for (let tries = 0; tries < 10; tries += 1) expect(await logIn(`wrong-${tries}`)).toBe(401)
    expect(await logIn(user.password)).toBe(429)
    await forgot(user.email)
    await reset(await mailedToken(user.email))
    expect(await logIn('another-passw0rd')).toBe(200)
    await sendMails(kit.services)
  })

  test('gives the same answer for an address that nobody has', async () => {
    const mailsBefore = kit.mailbox.taken.length
    const known = await forgot((await aUser(kit)).email)
    const unknown = await forgot('nobody.at.all@example.com')
    expect([known.status, unknown.status]).toEqual([204, 204])
    await sendMails(kit.services)
    expect(kit.mailbox.taken.length).toBe(mailsBefore + 1)
    const again = await forgot('nobody.at.all@example.com')
    expect(again.status).toBe(429)
  })

  test('can be asked for once a minute for an address, from wherever', async () => {
    const { email } = await aUser(kit)
    await forgot(email)
    const refused = await forgot(email.toUpperCase())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    await kit.passTime(MINUTE)
    expect((await forgot(email)).status).toBe(204)
  })

  test('is not used up for the day by what is asked for within a minute of it', async () => {
    const { email } = await aUser(kit)
    expect((await forgot(email)).status).toBe(204)
    for (let again = 0; again < 10; again += 1) expect((await forgot(email)).status).toBe(429)
    await kit.passTime(MINUTE)
    expect((await forgot(email)).status).toBe(204)
  })

  test('can still be asked for from where its owner has logged in, whatever strangers asked for', async () => {
    const { email, password } = await aUser(kit)
    const atHome = from()
    await kit.client.call(authContract.login, { body: { email, password } }, atHome)
    for (let asked = 0; asked < 10; asked += 1) {
      expect((await forgot(email)).status).toBe(204)
      await kit.passTime(MINUTE)
    }
    expect((await forgot(email)).status).toBe(429)
    const body = { email }
    expect((await kit.client.call(authContract.forgotPassword, { body }, atHome)).status).toBe(204)
  })

  test('its link works once', async () => {
    const { email } = await aUser(kit)
    await forgot(email)
    const token = await mailedToken(email)
    const statuses = (await Promise.all([reset(token), reset(token), reset(token)])).map(
      (reply) => reply.status,
    )
    expect(statuses.toSorted()).toEqual([204, 400, 400])
  })

  test('its link works for 30 minutes', async () => {
    const { email } = await aUser(kit)
    await forgot(email)
    const token = await mailedToken(email)
    await kit.passTime(30 * MINUTE + 1_000)
    expect((await reset(token)).refusal.reason).toBe('LinkInvalid')
  })

  test('a newer link makes the older one void', async () => {
    const { email } = await aUser(kit)
    await forgot(email)
    const older = await mailedToken(email)
    await kit.passTime(MINUTE)
    await forgot(email)
    const newer = await mailedToken(email)
    expect((await reset(older)).status).toBe(400)
    expect((await reset(newer)).status).toBe(204)
  })

  test('a link for one purpose does not work for the other', async () => {
    const user = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const token = await mailedToken(user.email)
    expect((await reset(token)).refusal.reason).toBe('LinkInvalid')
  })

  test('lets in a user whom other people’s guesses had locked out', async () => {
    const user = await aUser(kit)
    const places = Array.from({ length: 11 }, () => anAddress())
    const replies = await Promise.all(
      places.flatMap((remoteAddress) =>
        Array.from({ length: 10 }, () =>
          kit.client.call(
            authContract.login,
            { body: { email: user.email, password: 'a-guess' } },
            { remoteAddress },
          ),
        ),
      ),
    )
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(100)
    expect((await login(user.email, user.password)).status).toBe(429)
    await forgot(user.email)
    await reset(await mailedToken(user.email))
    expect((await login(user.email, 'another-passw0rd')).status).toBe(200)
  })

  test('lets its owner prove it, however often a thief who is out now has guessed', async () => {
    const user = await aUser(kit)
    const change = async (as: RegisteredUser['as'], current_password: string) => {
      const body = { current_password, password: 'a-third-passw0rd' }
      return (await kit.client.call(authContract.changePassword, { body }, as)).status
    }
    for (let tries = 0; tries < 10; tries += 1) expect(await change(user.as, 'a-gu3ss')).toBe(400)
    expect(await change(user.as, user.password)).toBe(429)
    await forgot(user.email)
    await reset(await mailedToken(user.email))
    const { data } = (await login(user.email, 'another-passw0rd')).body
    const back = { accessToken: data.tokens.access.token }
    expect(await change(back, 'another-passw0rd')).toBe(204)
  })

  test('a weak new password does not use the link up', async () => {
    const { email } = await aUser(kit)
    await forgot(email)
    const token = await mailedToken(email)
    const weak = await reset(token, 'short1')
    expect(weak.refusal.errors).toEqual([{ path: 'password', message: 'Minimum 8 character' }])
    expect((await reset(token)).status).toBe(204)
  })
})

describe('the verification of an address', () => {
  const verify = (token: string, { as }: RegisteredUser) =>
    kit.client.call(authContract.verifyEmail, { query: { token } }, as)

  test('is done by the mailed link, once', async () => {
    const user = await aUser(kit)
    const send = () => kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    expect((await send()).status).toBe(204)
    const token = await mailedToken(user.email)
    expect((await verify(token, user)).status).toBe(204)
    const params = { id: user.user.id }
    const now = await kit.client.call(usersContract.getUser, { params }, user.as)
    expect(now.body.is_email_verified).toBe(true)
    expect((await verify(token, user)).refusal.reason).toBe('EmailAlreadyVerified')
    expect((await send()).refusal.reason).toBe('EmailAlreadyVerified')
  })

  test('is known to be done only by whoever opens a link of their own', async () => {
    const owner = await aUser(kit)
    const other = await aUser(kit)
    for (const user of [owner, other]) {
      await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    }
    const token = await mailedToken(owner.email)
    await verify(token, owner)
    await verify(await mailedToken(other.email), other)
    expect((await verify(token, other)).refusal.reason).toBe('LinkInvalid')
    expect((await verify('no-such-token', owner)).refusal.reason).toBe('LinkInvalid')
    await kit.passTime(10 * MINUTE)
    expect((await verify(token, owner)).refusal.reason).toBe('EmailAlreadyVerified')
  })

  test('is not done by an older link than the last', async () => {
    const user = await aUser(kit)
    const send = () => kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    await send()
    const older = await mailedToken(user.email)
    await kit.passTime(MINUTE)
    await send()
    expect((await verify(older, user)).refusal.reason).toBe('LinkInvalid')
  })

  test('needs the login of the same user', async () => {
    const user = await aUser(kit)
    const other = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const token = await mailedToken(user.email)
    expect((await verify(token, other)).refusal.reason).toBe('LinkInvalid')
    expect((await verify(token, user)).status).toBe(204)
  })

  test('can be asked for once a minute', async () => {
    const { as } = await aUser(kit)
    const send = () => kit.client.call(authContract.sendVerificationEmail, {}, as)
    expect((await send()).status).toBe(204)
    expect((await send()).status).toBe(429)
    await kit.passTime(MINUTE)
    expect((await send()).status).toBe(204)
  })

  test('its link works for a day', async () => {
    const user = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const token = await mailedToken(user.email)
    await kit.passTime(24 * 60 * MINUTE + 1_000)
    const again = await login(user.email, user.password)
    const as = { accessToken: again.body.data.tokens.access.token }
    expect((await verify(token, { ...user, as })).refusal.reason).toBe('LinkInvalid')
  })
})

describe('changing the password', () => {
  const change = (current_password: string, password: string, { as }: RegisteredUser) =>
    kit.client.call(authContract.changePassword, { body: { current_password, password } }, as)

  test('needs the current one, and ends every other session', async () => {
    const user = await aUser(kit)
    const elsewhere = (await login(user.email, user.password)).body.data
    const wrong = await change('wrong-passw0rd', 'another-passw0rd', user)
    expect(wrong.refusal.reason).toBe('WrongPassword')
    expect((await change(user.password, 'another-passw0rd', user)).status).toBe(204)
    expect(await status(user)).toBe(200)
    const as = { accessToken: elsewhere.tokens.access.token }
    expect(await status({ ...user, as })).toBe(401)
    expect((await login(user.email, 'another-passw0rd')).status).toBe(200)
  })

  test('is to another one, however a keyboard composes its letters', async () => {
    const user = await aUser(kit)
    const [composed, decomposed] = ['p\u00e4ssw0rd', 'pa\u0308ssw0rd']
    expect((await change(user.password, composed, user)).status).toBe(204)
    expect((await login(user.email, decomposed)).status).toBe(200)
    expect((await change(decomposed, composed, user)).status).toBe(400)
    expect((await change(composed, decomposed, user)).status).toBe(400)
  })
})

describe('a required password change', () => {
  async function aUserWhoMustChange(): Promise<RegisteredUser> {
    const user = await aUser(kit)
    await kit.open.database
      .updateTable('users')
      .set({ requires_password_change: true })
      .where('id', '=', user.user.id)
      .execute()
    return user
  }
  const buy = ({ as }: RegisteredUser) =>
    kit.client.call(
      transactionsContract.createTransaction,
      { headers: {}, body: { purchase_amount: 100, purchase_token_id: 'eth' } },
      as,
    )

  test('blocks account and purchases, and keeps the session', async () => {
    const user = await aUserWhoMustChange()
    const params = { id: user.user.id }
    const refused = await kit.client.call(usersContract.getUser, { params }, user.as)
    const expected = { code: 403, message: 'Password change required' }
    expect(refused.refusal).toMatchObject(expected)
    expect((await buy(user)).refusal).toMatchObject(expected)
    expect((await login(user.email, user.password)).status).toBe(200)
    const ended = await kit.client.call(usersContract.endSessions, { params }, user.as)
    expect(ended.status).toBe(204)
  })

  test.each(['while it is demanded', 'at any other time'])(
    'is not met by a change to the same one, %s',
    async (when) => {
      const isDemanded = when === 'while it is demanded'
      const user = isDemanded ? await aUserWhoMustChange() : await aUser(kit)
      const body = { current_password: user.password, password: user.password }
      const reply = await kit.client.call(authContract.changePassword, { body }, user.as)
      const message = 'Choose a password that is not the current one'
      expect(reply.refusal).toMatchObject({ code: 400, errors: [{ path: 'password', message }] })
      expect(await status(user)).toBe(isDemanded ? 403 : 200)
    },
  )

  test('is not satisfied by a reset to the same one, whose link stays valid', async () => {
    const user = await aUserWhoMustChange()
    await forgot(user.email)
    const token = await mailedToken(user.email)
    const same = { query: { token }, body: { password: user.password } }
    const refused = await kit.client.call(authContract.resetPassword, same, from())
    expect(refused.refusal.errors?.map(({ path }) => path)).toEqual(['password'])
    expect(await status(user)).toBe(403)
    expect((await reset(token)).status).toBe(204)
  })

  test('is not required of a user who resets the password without it', async () => {
    const user = await aUser(kit)
    await forgot(user.email)
    const query = { token: await mailedToken(user.email) }
    const body = { password: user.password }
    const again = await kit.client.call(authContract.resetPassword, { query, body }, from())
    expect(again.status).toBe(204)
  })

  test('ends with a change of the password', async () => {
    const user = await aUserWhoMustChange()
    const body = { current_password: user.password, password: 'another-passw0rd' }
    const changed = await kit.client.call(authContract.changePassword, { body }, user.as)
    expect(changed.status).toBe(204)
    expect(await status(user)).toBe(200)
  })

  test('ends with a reset', async () => {
    const user = await aUserWhoMustChange()
    await forgot(user.email)
    expect((await reset(await mailedToken(user.email))).status).toBe(204)
    const again = (await login(user.email, 'another-passw0rd')).body.data.tokens.access.token
    expect(await status({ ...user, as: { accessToken: again } })).toBe(200)
  })
})
