import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { usersContract } from '#contract/users.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, buyAndPay, reorganise } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const update = ({ user, as }: RegisteredUser, body: object) =>
  kit.client.callWith(usersContract.updateUser, { params: { id: user.id }, body }, as)

describe('changing the profile', () => {
  test('changes what is given and nothing else', async () => {
    const user = await aUser(kit)
    const reply = await update(user, { first_name: ' Grace ', mobile: '+1 2125550123' })
    expect(reply.body).toEqual({ ...user.user, first_name: 'Grace', mobile: '+1 2125550123' })
    const params = { id: user.user.id }
    const now = await kit.client.call(usersContract.getUser, { params }, user.as)
    expect(now.body).toEqual(reply.body)
  })

  test('takes the phone number away with null, and no change at all', async () => {
    const user = await aUser(kit)
    expect((await update(user, { mobile: null })).body).toMatchObject({ mobile: null })
    expect((await update(user, {})).body).toMatchObject({ mobile: null })
  })

  test.each([
    ['+44 07911123456', '+44 7911123456'],
    ['+44 7911123456', '+44 7911123456'],
    ['+39 0612345678', '+39 0612345678'],
    ['+1684 6331234', '+1684 6331234'],
  ])('stores the phone number %s as %s', async (mobile, stored) => {
    const user = await aUser(kit)
    expect((await update(user, { mobile })).body).toMatchObject({ mobile: stored })
  })

  test.each([
    'id',
    'email',
    'is_email_verified',
    'password',
    'password_hash',
    'requires_password_change',
    'referrer_id',
    'created_at',
    'signup_date',
    'tokens',
    'role',
    'constructor',
  ])('refuses the field %s', async (field) => {
    const user = await aUser(kit)
    const reply = await update(user, { first_name: 'Mallory', [field]: 'x' })
    expect(reply.status).toBe(400)
    expect(reply.refusal.errors).toEqual([{ path: field, message: 'This field is not known here' }])
    const params = { id: user.user.id }
    const now = await kit.client.call(usersContract.getUser, { params }, user.as)
    expect(now.body).toEqual(user.user)
  })
})

describe('what a user has paid', () => {
  test('is what the completed purchases were credited for, and nothing that is open', async () => {
    const user = await aUser(kit)
    const paid = async () => {
      const params = { id: user.user.id }
      return (await kit.client.call(usersContract.getUser, { params }, user.as)).body
    }
    expect(await paid()).toMatchObject({ paid_amount_fiat: 0 })
    await buyAndPay(kit, user, { usd: 100.25 })
    await buyAndPay(kit, user, { usd: 49.5 })
    await aPurchase(kit, user)
    const { paid_amount_fiat, tokens } = await paid()
    expect(paid_amount_fiat).toBe(149.75)
    expect(tokens.bonuses).toBeGreaterThan(0)
    await reorganise(kit, 2)
    await watchChains(kit.services)
    expect(await paid()).toMatchObject({ paid_amount_fiat: 100.25 })
  })
})

describe('sessions', () => {
  test('name a device by no character that a terminal would obey', async () => {
    const { email, password, user, as } = await aUser(kit)
    await kit.client.call(
      authContract.login,
      { body: { email, password } },
      { remoteAddress: anAddress(), headers: { 'user-agent': 'A\u009b31m\u009d52;c;eA==\u009cB' } },
    )
    const sessions = await kit.client.call(
      usersContract.listSessions,
      { params: { id: user.id } },
      as,
    )
    const other = sessions.body.find((session) => !session.is_current)
    expect(other?.user_agent).toBe('A 31m 52;c;eA== B')
  })

  test('are listed, and can be ended one by one', async () => {
    const user = await aUser(kit)
    const login = await kit.client.call(
      authContract.login,
      { body: { email: user.email, password: user.password } },
      { remoteAddress: anAddress(), headers: { 'user-agent': 'A telephone' } },
    )
    const elsewhere = { accessToken: login.body.data.tokens.access.token }
    const params = { id: user.user.id }
    const list = () => kit.client.call(usersContract.listSessions, { params }, user.as)

    const sessions = (await list()).body
    expect(sessions.map((session) => session.is_current).toSorted()).toEqual([false, true])
    const other = sessions.find((session) => !session.is_current)
    expect(other?.user_agent).toBe('A telephone')

    const end = () =>
      kit.client.call(
        usersContract.endSession,
        { params: { ...params, session_id: other?.id ?? '' } },
        user.as,
      )
    expect((await end()).status).toBe(204)
    expect((await end()).status).toBe(404)
    expect((await kit.client.call(usersContract.getUser, { params }, elsewhere)).status).toBe(401)
    expect((await list()).body).toHaveLength(1)
  })

  test('of another user cannot be ended', async () => {
    const victim = await aUser(kit)
    const other = await aUser(kit)
    const params = { id: victim.user.id }
    const [session] = (await kit.client.call(usersContract.listSessions, { params }, victim.as))
      .body
    const reply = await kit.client.call(
      usersContract.endSession,
      { params: { id: other.user.id, session_id: session?.id ?? '' } },
      other.as,
    )
    expect(reply.status).toBe(404)
    expect((await kit.client.call(usersContract.getUser, { params }, victim.as)).status).toBe(200)
  })
})

describe('the referral link', () => {
  test('leads to registration with the user’s id', async () => {
    const { user, as } = await aUser(kit)
    const reply = await kit.client.call(
      usersContract.getReferralLink,
      { params: { id: user.id } },
      as,
    )
    expect(reply.body.link).toBe(`http://localhost:3000/register?referral=${user.id}`)
  })
})

describe('a sale that asks for verified addresses', () => {
  test('is reported by the user’s own account, and keeps the session', async () => {
    const strict = await startApp({
      open: kit.open,
      changeSale: (sale) => ({ ...sale, accounts: { requireVerifiedEmail: true } }),
    })
    const { user, as } = await aUser(strict)
    const params = { id: user.id }
    const refused = await strict.client.call(usersContract.getUser, { params }, as)
    expect(refused.refusal).toMatchObject({ code: 403, message: 'Email must be verified' })
    const sent = await strict.client.call(authContract.sendVerificationEmail, {}, as)
    expect(sent.status).toBe(204)
    await strict.close()
  })
})
