import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { ownExportContract } from '#contract/export.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const { searchPeople, getPerson, resendVerification, exportPerson, erasePerson } = peopleContract

let app: TestApp
let referrer: RegisteredUser
let buyer: RegisteredUser
beforeAll(async () => {
  app = await startApp()
  referrer = await aUser(app, { first_name: 'Grace', last_name: 'Hopper' })
  buyer = await aUser(app, { referrals: { referred_by: referrer.user.id } })
  await buyAndPay(app, buyer)
})
afterAll(() => app.close())

const person = (id: string) => app.client.call(getPerson, { params: { id } }, operator)

async function search(query: Record<string, string>) {
  const { body } = await app.client.call(searchPeople, { query }, operator)
  return { ...body, ids: body.data.map(({ id }) => id) }
}

const erase = (id: string, email: string) =>
  app.client.call(erasePerson, { params: { id }, headers: named, body: { email } }, operator)

const newestAct = async () =>
  (await app.client.call(operatorContract.listActions, { query: { limit: '1' } }, operator)).body
    .data[0]

describe('the list of people', () => {
  test('has the newest first, by pages, with what they bought', async () => {
    const newest = await aUser(app)
    const first = await search({ limit: '1' })
    expect(first.ids).toEqual([newest.user.id])
    const rest = await search({ after: first.after ?? '' })
    expect(rest.ids).toEqual([buyer.user.id, referrer.user.id])
    expect(rest.data[0]).toMatchObject({
      email: buyer.email,
      name: 'Ada Lovelace',
      purchases: 1,
      credited_usd: '100',
      has_two_factor: false,
    })
    expect(rest.after).toBeNull()
  })

  test('finds one by email address or id', async () => {
    expect((await search({ q: ` ${buyer.email.toUpperCase()} ` })).ids).toEqual([buyer.user.id])
    expect((await search({ q: buyer.user.id })).ids).toEqual([buyer.user.id])
    expect((await search({ q: 'nobody@example.com' })).ids).toEqual([])
  })

  test.each([
    [{ q: 'ada' }, 'q'],
    [{ after: '00000000-0000-4000-8000-000000000000' }, 'after'],
    [{ limit: '101' }, 'limit'],
  ])('refuses %j', async (query, path) => {
    const reply = await app.client.callWith(searchPeople, { query }, operator)
    expect(reply.refusal.errors?.map((error) => error.path)).toEqual([path])
  })
})

test('a person is shown with sums, referrals and sessions', async () => {
  const { body } = await person(buyer.email)
  expect(body).toMatchObject({
    id: buyer.user.id,
    completed_purchases: 1,
    credited_usd: '100',
    referred_by: { id: referrer.user.id, name: 'Grace Hopper' },
    referred: [],
    erased_date: null,
    two_factor_date: null,
  })
  expect(Number(body.bought_tokens)).toBeGreaterThan(0)
  expect(body.sessions).toHaveLength(1)
  const theirs = (await person(referrer.user.id)).body
  expect(theirs.referred_count).toBe(1)
  expect(theirs.referred).toMatchObject([{ id: buyer.user.id, email: buyer.email }])
  for (const id of ['x', 'nobody@example.com', '00000000-0000-4000-8000-000000000000']) {
    expect((await person(id)).refusal).toMatchObject({ code: 404 })
  }
})

describe('the mail that proves an address', () => {
  const resend = (id: string) =>
    app.client.call(resendVerification, { params: { id }, headers: named }, operator)

  test('is sent again, as often as the user could ask for it, and recorded', async () => {
    const user = await aUser(app)
    await app.passTime(61_000)
    expect((await resend(user.email)).status).toBe(200)
    expect(await newestAct()).toMatchObject({
      act: 'resendVerification',
      operator: 'Olga',
      user_id: user.user.id,
    })
    expect((await resend(user.email)).refusal.reason).toBe('TooManyRequests')
    const mails = await app.open.database
      .selectFrom('outbox_mails')
      .select('kind')
      .where('user_id', '=', user.user.id)
      .execute()
    expect(mails.filter(({ kind }) => kind === 'verify_email').length).toBeGreaterThanOrEqual(1)
  })

  test('is refused if the address is already verified', async () => {
    const user = await aVerifiedUser(app)
    expect((await resend(user.user.id)).refusal.reason).toBe('EmailAlreadyVerified')
  })
})

test('an export is the user’s own, and is recorded', async () => {
  const params = { id: buyer.user.id }
  const own = (await app.client.call(ownExportContract.exportUser, { params }, buyer.as)).body
  const input = { params: { id: buyer.email }, headers: named }
  const { body } = await app.client.call(exportPerson, input, operator)
  expect(body.operator_actions).toEqual([
    { act: 'exportPerson', details: {}, transaction_id: null, date: expect.any(String) },
  ])
  const strip = (each: typeof own) => ({ ...each, exported_date: '', operator_actions: [] })
  expect(strip(body)).toEqual(strip(own))
  expect(await newestAct()).toMatchObject({ act: 'exportPerson', user_id: buyer.user.id })
})

describe('erasing somebody', () => {
  test('takes the address typed again, and refuses another one', async () => {
    const user = await aUser(app)
    for (const typed of ['x', buyer.email, '']) {
      const reply = await app.client.callWith(
        erasePerson,
        { params: { id: user.user.id }, headers: named, body: { email: typed } },
        operator,
      )
      expect(reply.refusal.errors?.map(({ path }) => path)).toEqual(['email'])
    }
    expect((await person(user.user.id)).body.erased_date).toBeNull()
  })

  test('leaves no name, ends sessions, keeps purchases, and is recorded', async () => {
    const user = await aUser(app, { first_name: 'Hypatia', last_name: 'Alexandrina' })
    const purchase = await buyAndPay(app, user)
    expect((await erase(user.email, user.email.toUpperCase())).status).toBe(204)
    expect(await newestAct()).toMatchObject({ act: 'erasePerson', user_id: user.user.id })
    const { email, password } = user
    const options = { remoteAddress: anAddress() }
    const login = await app.client.call(authContract.login, { body: { email, password } }, options)
    expect(login.refusal.reason).toBe('WrongCredentials')
    const record = (await person(user.user.id)).body
    expect(record).toMatchObject({ name: 'Erased user', purchases: 1, sessions: [] })
    expect(record.erased_date).not.toBeNull()
    const found = await app.client.call(
      operatorContract.searchPurchases,
      { query: { user_id: user.user.id } },
      operator,
    )
    expect(found.body.data.map(({ id }) => id)).toEqual([purchase.id])
    await sendMails(app.services)
    await app.open.database
      .updateTable('outbox_mails')
      .set({ recipient: null, body_html: null, body_text: null, subject: null })
      .where('user_id', '=', user.user.id)
      .execute()
    const stored = await everythingStored(app.open.database)
    expect(JSON.stringify(stored)).not.toMatch(/Hypatia|Alexandrina/)
    expect((await erase(user.user.id, email)).status).toBe(404)
  })
})

test.each([
  ['viewer', { read: 403, help: 403, export: 403, erase: 403 }],
  ['support', { read: 200, help: 200, export: 403, erase: 403 }],
  ['finance', { read: 200, help: 403, export: 403, erase: 403 }],
  ['owner', { read: 200, help: 200, export: 200, erase: 204 }],
] as const)('a %s may do what the role has', async (role, expected) => {
  const { as } = await anOperatorPerson(app, role)
  const user = await aUser(app)
  await app.passTime(61_000)
  const params = { id: user.user.id }
  const statuses = {
    read: (await app.client.call(getPerson, { params }, as)).status,
    help: (await app.client.call(resendVerification, { params, headers: {} }, as)).status,
    export: (await app.client.call(exportPerson, { params, headers: {} }, as)).status,
    erase: (
      await app.client.call(erasePerson, { params, headers: {}, body: { email: user.email } }, as)
    ).status,
  }
  expect(statuses).toEqual(expected)
})
