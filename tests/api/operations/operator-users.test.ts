import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { usersContract } from '#contract/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const { listActions, pauseSale, resumeSale } = operatorContract
const { requirePasswordChange, endUserTwoFactor, endUserSessions } = peopleContract

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Act =
  | typeof peopleContract.resendVerification
  | typeof requirePasswordChange
  | typeof endUserTwoFactor
  | typeof endUserSessions

const act = (endpoint: Act, id: string) =>
  app.client.callWith(endpoint, { params: { id }, headers: named }, operator)

const login = ({ email, password }: RegisteredUser) =>
  app.client.call(authContract.login, { body: { email, password } }, { remoteAddress: anAddress() })

const lookAtOneself = ({ user, as }: RegisteredUser) =>
  app.client.call(usersContract.getUser, { params: { id: user.id } }, as)

const actions = async (query: { after?: string; limit?: string } = {}) =>
  (await app.client.call(listActions, { query }, operator)).body

const ways: [string, (user: RegisteredUser) => string][] = [
  ['id', ({ user }) => user.id],
  ['email address', ({ email }) => email],
  ['email address in another spelling', ({ email }) => email.toUpperCase()],
]

describe('a password change', () => {
  test.each(ways)('is required of a user by %s, until it is made', async (_, nameOf) => {
    const user = await aUser(app)
    const reply = await act(requirePasswordChange, nameOf(user))
    expect(reply.body).toEqual({
      id: user.user.id,
      email: user.email,
      name: 'Ada Lovelace',
      is_email_verified: false,
      requires_password_change: true,
      has_two_factor: false,
      signup_date: user.user.signup_date,
    })
    expect((await lookAtOneself(user)).refusal).toMatchObject({
      code: 403,
      message: 'Password change required',
    })
    const body = { current_password: user.password, password: 'another-passw0rd' }
    await app.client.call(authContract.changePassword, { body }, user.as)
    expect((await lookAtOneself(user)).status).toBe(200)
  })
})

describe('two-factor login', () => {
  test.each(ways)('is ended for a user by %s, who gets a mail', async (_, nameOf) => {
    const user = await aUser(app)
    await turnOnTwoFactor(app, user)
    expect((await login(user)).refusal.reason).toBe('TwoFactorRequired')
    const reply = await act(endUserTwoFactor, nameOf(user))
    expect(reply.body).toMatchObject({ id: user.user.id, has_two_factor: false })
    expect((await login(user)).status).toBe(200)
    await sendMails(app.services)
    const mails = app.mailbox.taken.filter(({ to }) => to === user.email)
    expect(mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('Two-factor login is off'),
    )
    expect((await act(endUserTwoFactor, nameOf(user))).refusal.reason).toBe('TwoFactorNotOn')
  })

  test('cannot be turned off if it was never on', async () => {
    const user = await aUser(app)
    expect((await act(endUserTwoFactor, user.email)).refusal).toMatchObject({ code: 409 })
  })
})

describe('the sessions of a user', () => {
  test.each(ways)('all end by %s', async (_, nameOf) => {
    const user = await aUser(app)
    const other = await aUser(app)
    const second = {
      ...user,
      as: { accessToken: (await login(user)).body.data.tokens.access.token },
    }
    expect((await act(endUserSessions, nameOf(user))).status).toBe(200)
    for (const session of [user, second]) expect((await lookAtOneself(session)).status).toBe(401)
    expect((await lookAtOneself(other)).status).toBe(200)
    expect((await login(user)).status).toBe(200)
  })
})

test.each(['nobody@example.com', '00000000-0000-4000-8000-000000000000', 'x'])(
  'nobody is found by %s',
  async (name) => {
    for (const endpoint of [requirePasswordChange, endUserTwoFactor, endUserSessions]) {
      expect((await act(endpoint, name)).refusal).toMatchObject({
        code: 404,
        message: 'There is no user with this email address or id',
      })
    }
  },
)

describe('what operators did', () => {
  test('is recorded with who, when, from where and what', async () => {
    const user = await aUser(app)
    const remoteAddress = anAddress()
    const input = { params: { id: user.email }, headers: { 'operator-name': 'Ann' } }
    const earlier = app.clock.now().toISOString()
    await app.client.call(requirePasswordChange, input, { ...operator, remoteAddress })
    await app.client.callWith(
      pauseSale,
      { headers: { 'operator-name': 'Bob' }, body: { reason: 'A look' } },
      operator,
    )
    await app.client.call(resumeSale, { body: {} }, operator)
    const [resumed, paused, required] = (await actions()).data
    expect(required).toMatchObject({
      operator: 'Ann',
      address: remoteAddress,
      act: 'requirePasswordChange',
      user_id: user.user.id,
      purchase_id: null,
      details: {},
    })
    expect((required?.date ?? '') >= earlier).toBe(true)
    expect(paused).toMatchObject({
      operator: 'Bob',
      act: 'pauseSale',
      details: { reason: 'A look' },
    })
    expect(resumed).toMatchObject({
      operator: null,
      act: 'resumeSale',
      details: { force: 'false', breaches: '0' },
    })
  })

  test('holds no refused act, and no repeated one', async () => {
    const before = (await actions({ limit: '100' })).data.length
    await act(requirePasswordChange, 'nobody@example.com')
    await app.client.callWith(pauseSale, { body: { reason: 'x' } }, operator)
    await app.client.callWith(pauseSale, { body: { reason: 'x' } }, operator)
    expect((await actions({ limit: '100' })).data.length).toBe(before + 1)
    await app.client.call(resumeSale, { body: {} }, operator)
  })

  test('has pages', async () => {
    const all = (await actions({ limit: '100' })).data
    const first = await actions({ limit: '2' })
    const second = await actions({ limit: '2', after: first.after ?? '' })
    expect([...first.data, ...second.data]).toEqual(all.slice(0, 4))
    const wrong = await app.client.callWith(listActions, { query: { after: 'x' } }, operator)
    expect(wrong.status).toBe(400)
  })

  test('leaves no address in the log where the call fails', async () => {
    const { email } = await aUser(app)
    const { limits } = app.services
    app.services.limits = { ...limits, take: () => Promise.reject(new Error('A bug')) }
    const reply = await act(peopleContract.resendVerification, email)
    app.services.limits = limits
    expect(reply.status).toBe(500)
    const logged = JSON.stringify(app.complaints.splice(0))
    expect(logged).toContain('/operator/users/')
    expect(decodeURIComponent(logged)).not.toContain(email)
  })

  test('outlives the user without a name or an address', async () => {
    const user = await aUser(app, { first_name: 'Hypatia' })
    await act(requirePasswordChange, user.email)
    const body = { current_password: user.password, password: 'another-passw0rd' }
    await app.client.call(authContract.changePassword, { body }, user.as)
    await app.client.call(
      usersContract.eraseUser,
      { params: { id: user.user.id }, body: {} },
      user.as,
    )
    await sendMails(app.services)
    const stored = await everythingStored(app.open.database)
    expect(stored).toContain(`"user_id":"${user.user.id}"`)
    const actionRows = JSON.stringify((await actions({ limit: '100' })).data)
    expect(actionRows).toContain(user.user.id)
    expect(actionRows).not.toContain(user.email)
  })
})
