import { afterAll, beforeAll, expect, test } from 'vitest'

import { accountContract, signInContract } from '#contract/operator/account.ts'
import { usersContract } from '#contract/users.ts'
import { aSoftPasskey } from '#tests/kit/builders/sign-in/a-passkey.ts'
import { aUser, anAddress } from '#tests/kit/builders/a-user.ts'
import {
  anInvitation,
  sessionOf,
  signUp,
  usePasskey,
} from '#tests/kit/builders/sign-in/an-invitation.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const aPerson = async (counter = 0) =>
  signUp(kit, await anInvitation(kit, 'support'), aSoftPasskey(counter))

const isIn = async (as: CallOptions) =>
  (await kit.client.call(accountContract.getSelf, {}, as)).status === 200

const history = async (as: CallOptions) =>
  (await kit.client.call(accountContract.listSecurityEvents, { query: {} }, as)).body.data

const signIn = (body: { email: string; password: string; code: string }) =>
  kit.client.call(signInContract.signIn, { body }, { remoteAddress: anAddress() })

test('a passkey alone is enough, since its device knows its user', async () => {
  const person = await aPerson()
  const reply = await usePasskey(kit, person.passkey)
  expect(await isIn(sessionOf(reply))).toBe(true)
  expect(reply.headers['set-cookie']).toContain('HttpOnly; SameSite=Strict')
  const unverified = await usePasskey(kit, person.passkey, { isVerified: false })
  expect(unverified.refusal.reason).toBe('WrongCredentials')
})

test('a passkey of another address, or a challenge that was used, is refused', async () => {
  const person = await aPerson()
  const elsewhere = await usePasskey(kit, person.passkey, { origin: 'http://localhost:3001' })
  expect(elsewhere.refusal.reason).toBe('WrongCredentials')

  const options = await kit.client.call(signInContract.getPasskeyRequest, {})
  const body = { passkey: person.passkey.use(options.body) }
  expect((await kit.client.call(signInContract.signInWithPasskey, { body })).status).toBe(204)
  const replayed = await kit.client.call(signInContract.signInWithPasskey, { body })
  expect(replayed.refusal.reason).toBe('WrongCredentials')

  const made = await kit.client.call(signInContract.getPasskeyRequest, {})
  const late = { passkey: person.passkey.use(made.body) }
  await kit.passTime(5 * MINUTE_MS)
  const reply = await kit.client.call(signInContract.signInWithPasskey, { body: late })
  expect(reply.refusal.reason).toBe('WrongCredentials')
  const failed = (await history(person.as)).filter(({ kind }) => kind === 'sign_in_failed')
  expect(failed).toHaveLength(3)
})

test('a passkey whose counter stands still was copied: it is refused, and kept as such', async () => {
  const person = await aPerson(1)
  expect((await usePasskey(kit, person.passkey)).status).toBe(204)
  person.passkey.counter -= 1
  expect((await usePasskey(kit, person.passkey)).refusal.reason).toBe('WrongCredentials')
  const [last] = await history(person.as)
  expect(last).toMatchObject({ kind: 'passkey_copied', details: { name: 'Passkey' } })
})

test('an unknown passkey is refused like any other', async () => {
  const person = await aPerson()
  const wrong = await usePasskey(kit, person.passkey, { origin: 'http://localhost:3001' })
  const unknown = await usePasskey(kit, aSoftPasskey())
  expect(unknown.refusal.message).toBe(wrong.refusal.message)
})

test('password and recovery code let in once; whatever is wrong, the sentence is the same', async () => {
  const { email, password, recoveryCodes } = await aPerson()
  const [code = '', other = ''] = recoveryCodes
  const faults = [
    await signIn({ email: 'nobody@example.com', password, code }),
    await signIn({ email, password: 'another-passw0rd', code }),
    await signIn({ email, password, code: '123456' }),
    await signIn({ email, password, code: 'aaaaa-aaaaa' }),
  ].map(({ refusal }) => ({ ...refusal, request_id: '' }))
  expect(new Set(faults.map((fault) => JSON.stringify(fault))).size).toBe(1)
  expect(faults[0]?.reason).toBe('WrongCredentials')

  expect((await signIn({ email, password, code })).status).toBe(204)
  expect((await signIn({ email, password, code })).status).toBe(401)
  expect((await signIn({ email, password, code: other })).status).toBe(204)
})

test('guesses end after ten, and a passkey still lets its owner in', async () => {
  const { email, passkey } = await aPerson()
  const body = { email, password: 'a-guess-1', code: '123456' }
  const remoteAddress = anAddress()
  const guess = () => kit.client.call(signInContract.signIn, { body }, { remoteAddress })
  for (let made = 0; made < 10; made += 1) expect((await guess()).status).toBe(401)
  expect((await guess()).refusal.reason).toBe('TooManyRequests')
  expect((await usePasskey(kit, passkey)).status).toBe(204)
})

test('strangers’ guesses keep no operator out of a network that they use', async () => {
  const { email, password, recoveryCodes } = await aPerson()
  const [first = '', second = '', third = ''] = recoveryCodes
  const signInFrom = async (remoteAddress: string, code: string, given = password) => {
    const body = { email, password: given, code }
    return (await kit.client.call(signInContract.signIn, { body }, { remoteAddress })).status
  }
  expect(await signInFrom('198.51.100.20', first)).toBe(204)
  for (let made = 0; made < 50; made += 1) {
    expect(await signInFrom(anAddress(), '123456', 'a-guess-1')).toBe(401)
  }
  expect(await signInFrom(anAddress(), second)).toBe(429)
  expect(await signInFrom('198.51.100.77', second)).toBe(204)

  // Guesses from there are bounded as well.
  for (let made = 0; made < 50; made += 1) {
    const guessed = signInFrom(`198.51.100.${made + 100}`, '123456', 'a-guess-1')
    expect(await guessed).toBe(401)
  }
  expect(await signInFrom('198.51.100.20', third)).toBe(429)
})

test('a session ends after half an hour unused, and after twelve hours however it is used', async () => {
  const { as, passkey } = await aPerson()
  await kit.passTime(29 * MINUTE_MS)
  expect(await isIn(as)).toBe(true)
  await kit.passTime(30 * MINUTE_MS)
  expect(await isIn(as)).toBe(false)

  const busy = sessionOf(await usePasskey(kit, passkey))
  for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
    await kit.passTime(20 * MINUTE_MS)
    expect(await isIn(busy)).toBe(true)
  }
  await kit.passTime(20 * MINUTE_MS)
  expect(await isIn(busy)).toBe(false)
})

test('a session that has ended counts as no guess, however often its page asks', async () => {
  const { as } = await aPerson()
  const there = { ...as, remoteAddress: anAddress() }
  await kit.client.call(accountContract.signOut, {}, there)
  const ask = async () => (await kit.client.call(accountContract.getSelf, {}, there)).refusal.reason
  for (let asked = 0; asked < 12; asked += 1) expect(await ask()).toBe('Unauthenticated')
})

test('a buyer’s token makes no operator’s call, nor an operator’s cookie a buyer’s', async () => {
  const { as } = await aPerson()
  const buyer = await aUser(kit)
  expect(await isIn(buyer.as)).toBe(false)
  expect(await isIn({ ...buyer.as, ...as })).toBe(false)
  const params = { id: buyer.user.id }
  const reply = await kit.client.call(usersContract.getUser, { params }, as)
  expect(reply.refusal.reason).toBe('Unauthenticated')
})

test('a sign-in from a new place is mailed to the operator, and no other', async () => {
  const { email, passkey } = await aPerson()
  await usePasskey(kit, passkey)
  await sendMails(kit.services)
  const mails = () =>
    kit.mailbox.taken.filter(({ to, subject }) => to === email && subject.startsWith('A sign-in'))
  expect(mails()).toHaveLength(0)
  const { body: options } = await kit.client.call(signInContract.getPasskeyRequest, {})
  const body = { passkey: passkey.use(options) }
  const elsewhere = { remoteAddress: '203.0.113.9' }
  await kit.client.call(signInContract.signInWithPasskey, { body }, elsewhere)
  await sendMails(kit.services)
  expect(mails()).toHaveLength(1)
  expect(mails()[0]?.text).toContain('203.0.113.9')
})
