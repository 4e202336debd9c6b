import { afterAll, beforeAll, expect, test } from 'vitest'

import { accountContract, signInContract } from '#contract/operator/account.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { teamContract } from '#contract/operator/team.ts'
import { aSoftPasskey } from '#tests/kit/builders/sign-in/a-passkey.ts'
import { anInvitation, sessionOf, signUp } from '#tests/kit/builders/sign-in/an-invitation.ts'
import { authenticatorFor } from '#tests/kit/builders/authenticator.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const HOUR_MS = 60 * 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const open = (token: string) => kit.client.call(signInContract.openInvitation, { body: { token } })

/** Why the last link was refused, as it is kept. */
async function lastRefused(): Promise<unknown> {
  const row = await kit.open.database
    .selectFrom('operator_security_events')
    .select(['kind', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { kind: row.kind, why: row.details['why'] }
}

test('somebody who is invited comes in with a passkey, and may do what the role says', async () => {
  const invited = await anInvitation(kit, 'finance')
  expect((await open(invited.token)).body).toMatchObject({
    email: invited.email,
    role: 'finance',
    name: null,
  })
  const person = await signUp(kit, invited)
  expect(person.recoveryCodes).toHaveLength(10)
  const self = await kit.client.call(accountContract.getSelf, {}, person.as)
  expect(self.body).toMatchObject({ email: invited.email, name: 'Grace', role: 'finance' })
  const acts = await kit.client.call(operatorContract.listActions, { query: {} }, person.as)
  expect(acts.body.data.map(({ act, operator: name }) => [act, name])).toEqual([
    ['acceptInvitation', 'Grace'],
    ['inviteOperator', 'Olga'],
  ])
})

test('or with an authenticator app', async () => {
  const { token } = await anInvitation(kit)
  const started = await kit.client.call(signInContract.startInvitedAuthenticator, {
    body: { token },
  })
  const app = authenticatorFor(kit, started.body.secret)
  const person = { token, name: 'Grace', password: 'passw0rd-1815' }
  const wrong = await kit.client.call(signInContract.acceptInvitation, {
    body: { ...person, code: app.code(9) },
  })
  expect(wrong.refusal.reason).toBe('WrongCode')
  const right = await kit.client.call(signInContract.acceptInvitation, {
    body: { ...person, code: app.code() },
  })
  const account = await kit.client.call(accountContract.getAccount, {}, sessionOf(right))
  expect(account.body.authenticator_date).not.toBeNull()
})

test('nobody comes in without a second factor', async () => {
  const { token } = await anInvitation(kit)
  const body = { token, name: 'Grace', password: 'passw0rd-1815' }
  const reply = await kit.client.call(signInContract.acceptInvitation, { body })
  expect(reply.refusal.errors).toEqual([
    { path: 'code', message: 'Add a passkey or an authenticator app' },
  ])
  expect((await open(token)).status).toBe(200)
})

test('a link works once, for a day, until it is taken back or replaced', async () => {
  const used = await anInvitation(kit)
  await signUp(kit, used)
  expect((await open(used.token)).refusal.reason).toBe('LinkInvalid')
  expect(await lastRefused()).toEqual({ kind: 'invitation_refused', why: 'used' })

  const withdrawn = await anInvitation(kit)
  const input = { headers: named, params: { id: withdrawn.id } }
  await kit.client.call(teamContract.withdrawInvitation, input, operator)
  expect((await open(withdrawn.token)).refusal.reason).toBe('LinkInvalid')
  expect(await lastRefused()).toEqual({ kind: 'invitation_refused', why: 'withdrawn' })
  const again = await kit.client.call(teamContract.withdrawInvitation, input, operator)
  expect(again.status).toBe(404)

  expect((await open('somebody-elses-token')).refusal.reason).toBe('LinkInvalid')
  expect(await lastRefused()).toEqual({ kind: 'invitation_refused', why: 'unknown' })

  const late = await anInvitation(kit)
  await kit.passTime(24 * HOUR_MS - 1000)
  expect((await open(late.token)).status).toBe(200)
  await kit.passTime(1000)
  expect((await open(late.token)).refusal.reason).toBe('LinkInvalid')
  expect(await lastRefused()).toEqual({ kind: 'invitation_refused', why: 'expired' })
})

test('the secret of an authenticator app goes with its link', async () => {
  const replaced = await anInvitation(kit)
  const body = { token: replaced.token }
  await kit.client.call(signInContract.startInvitedAuthenticator, { body })
  const renewed = { headers: named, body: { email: replaced.email, role: 'viewer' } } as const
  await kit.client.call(teamContract.inviteOperator, renewed, operator)
  const row = await kit.open.database
    .selectFrom('operator_invitations')
    .select(['sealed_secret', 'withdrawn_at'])
    .where('id', '=', replaced.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ sealed_secret: null, withdrawn_at: expect.any(Date) })
})

test('a passkey for another address, another link or an old challenge is refused', async () => {
  const { token } = await anInvitation(kit)
  const other = await anInvitation(kit)
  const passkey = aSoftPasskey()
  const options = async (of: string) =>
    (await kit.client.call(signInContract.getInvitedPasskeyCreation, { body: { token: of } })).body
  const accept = (answer: ReturnType<typeof passkey.make>) =>
    kit.client.call(signInContract.acceptInvitation, {
      body: { token, name: 'Grace', password: 'passw0rd-1815', passkey: answer },
    })
  const elsewhere = passkey.make(await options(token), { origin: 'https://presale.example.net' })
  expect((await accept(elsewhere)).refusal.reason).toBe('PasskeyRefused')
  expect(await lastRefused()).toMatchObject({ kind: 'passkey_refused' })
  const unverified = passkey.make(await options(token), { isVerified: false })
  expect((await accept(unverified)).refusal.reason).toBe('PasskeyRefused')
  const foreign = passkey.make(await options(other.token))
  expect((await accept(foreign)).refusal.reason).toBe('PasskeyRefused')
  const slow = passkey.make(await options(token))
  await kit.passTime(5 * 60_000)
  expect((await accept(slow)).refusal.reason).toBe('PasskeyRefused')
  expect((await accept(passkey.make(await options(token)))).status).toBe(200)
})

test('the link is mailed, and no table, reply or log has it but the one that made it', async () => {
  const { token, email } = await anInvitation(kit)
  await sendMails(kit.services)
  const mail = kit.mailbox.taken.find(({ to }) => to === email)
  expect(mail?.text).toContain(`/operator/accept#${token}`)
  const { database } = kit.open
  const rows = [
    await database.selectFrom('operator_invitations').selectAll().execute(),
    await database.selectFrom('operator_actions').select('details').execute(),
    await database.selectFrom('outbox_mails').select(['params', 'body_text']).execute(),
  ]
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  expect(text).not.toContain(token)
})

test('an operator’s address is not invited again', async () => {
  const person = await anOperatorPerson(kit, 'viewer')
  const input = { headers: named, body: { email: person.email, role: 'owner' as const } }
  const reply = await kit.client.call(teamContract.inviteOperator, input, operator)
  expect(reply.refusal.reason).toBe('EmailTaken')
})
