import { afterEach, beforeEach, expect, test } from 'vitest'

import { accountContract, signInContract } from '#contract/operator/account.ts'
import { connectionsContract } from '#contract/operator/connections.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { teamContract } from '#contract/operator/team.ts'
import { type Role, roles } from '#domain/operators/permissions.ts'
import {
  anInvitation,
  type SignedUp,
  signUp,
  tokenOf,
  usePasskey,
} from '#tests/kit/builders/sign-in/an-invitation.ts'
import { aSoftPasskey } from '#tests/kit/builders/sign-in/a-passkey.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { findOperatorById } from '#server/database/operators/operators.ts'
import { createKey } from '#server/use-cases/connections/api-keys.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { inviteOperator } from '#server/use-cases/operators/manage-team.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson, type OperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 24 * 60 * 60_000

let kit: TestApp
beforeEach(async () => {
  kit = await startApp()
})
afterEach(() => kit.close())

const changeRole = (id: string, role: Role, by: OperatorPerson | null) =>
  kit.client.call(
    teamContract.changeRole,
    { headers: named, params: { id }, body: { role } },
    by?.as ?? operator,
  )
const remove = (id: string, by: OperatorPerson | null) =>
  kit.client.call(
    teamContract.removeOperator,
    { headers: named, params: { id } },
    by?.as ?? operator,
  )
const selfOf = (person: { as: OperatorPerson['as'] }) =>
  kit.client.call(accountContract.getSelf, {}, person.as)

test('who nobody else ever was an operator beside is told so, until somebody comes', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  expect((await selfOf(owner)).body.is_alone).toBe(true)
  const viewer = await anOperatorPerson(kit, 'viewer')
  expect((await selfOf(owner)).body.is_alone).toBe(false)
  await remove(viewer.id, owner)
  // What takes two people still waits: whoever takes others away may not do it alone thereby.
  expect((await selfOf(owner)).body.is_alone).toBe(false)
})

test('an owner gives others a role, which counts from their next call on', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const viewer = await anOperatorPerson(kit, 'viewer')
  expect((await changeRole(viewer.id, 'owner', owner)).body.data).toHaveLength(2)
  expect((await selfOf(viewer)).body.role).toBe('owner')
})

test('all other owners are told of a new one, also whoever let them in', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const viewer = await anOperatorPerson(kit, 'viewer')
  const subjects = async (to: string) => {
    await sendMails(kit.services)
    return kit.mailbox.taken.filter((mail) => mail.to === to).map(({ subject }) => subject)
  }
  await signUp(kit, await anInvitation(kit, 'viewer'))
  await signUp(kit, await anInvitation(kit, 'support'))
  expect(await subjects(owner.email)).toEqual([])
  const invited = await signUp(kit, await anInvitation(kit, 'owner'))
  const about = (name: string) => expect.stringMatching(`^A new owner of the .* presale: ${name}$`)
  expect(await subjects(owner.email)).toEqual([about('Grace')])
  expect(kit.mailbox.taken.findLast(({ to }) => to === owner.email)?.text).toContain(invited.email)
  await changeRole(viewer.id, 'owner', owner)
  expect(await subjects(owner.email)).toEqual([about('Grace'), about(viewer.name)])
  expect(await subjects(viewer.email)).toEqual([])
  // Somebody who gets new factors is an owner as before.
  const id = (await selfOf(invited)).body.id
  await kit.client.call(teamContract.resetFactors, { headers: named, params: { id } }, owner.as)
  await sendMails(kit.services)
  const mail = kit.mailbox.taken.findLast(({ to }) => to === invited.email)
  const link = /\S+\/operator\/accept#\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  await signUp(kit, { token: tokenOf(link), email: invited.email })
  expect(await subjects(owner.email)).toHaveLength(2)
})

test('nobody but an owner does, nobody does it to themselves, and a refusal names what is missing', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const viewer = await anOperatorPerson(kit, 'viewer')
  const refused = await changeRole(owner.id, 'viewer', viewer)
  expect(refused.refusal.message).toContain('operators.manage')
  for (const reply of [
    await changeRole(owner.id, 'viewer', owner),
    await remove(owner.id, owner),
    await kit.client.call(
      teamContract.resetFactors,
      { headers: named, params: { id: owner.id } },
      owner.as,
    ),
  ]) {
    expect(reply.refusal.reason).toBe('OwnAccount')
  }
})

test('the last owner stays, also for the server’s token and for whoever has the database', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  expect((await changeRole(owner.id, 'viewer', null)).refusal.reason).toBe('LastOwner')
  expect((await remove(owner.id, null)).refusal.reason).toBe('LastOwner')
  const { database } = kit.open
  const rows = database.updateTable('operators').where('id', '=', owner.id)
  await expect(rows.set({ role: 'viewer' }).execute()).rejects.toThrow('The last owner')
  await expect(rows.set({ removed_at: new Date() }).execute()).rejects.toThrow('The last owner')
  await expect(database.deleteFrom('operators').execute()).rejects.toThrow('stays for ever')
  await anOperatorPerson(kit, 'owner')
  expect((await remove(owner.id, null)).status).toBe(200)
})

test('whoever is removed is out at once, with their factors and the links that they made', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const person = await signUp(kit, await anInvitation(kit, 'owner'))
  const body = { email: 'friend@example.com', role: 'owner' as const }
  const invited = await kit.client.call(
    teamContract.inviteOperator,
    { headers: {}, body },
    person.as,
  )
  const { id } = (await selfOf(person)).body
  await remove(id, owner)
  expect((await selfOf(person)).status).toBe(401)
  expect((await usePasskey(kit, person.passkey)).refusal.reason).toBe('WrongCredentials')
  const link = { token: tokenOf(invited.body.link) }
  const opened = await kit.client.call(signInContract.openInvitation, { body: link })
  expect(opened.refusal.reason).toBe('LinkInvalid')
})

test('somebody who lost their passkey gets in by a new link, and the old passkey does not', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const person = await signUp(kit, await anInvitation(kit, 'support'))
  const { id } = (await selfOf(person)).body
  const input = { headers: named, params: { id } }
  const reset = await kit.client.call(teamContract.resetFactors, input, owner.as)
  expect(reset.body.link, 'nobody else comes in by their name').toBeNull()
  expect((await selfOf(person)).status).toBe(401)
  expect((await usePasskey(kit, person.passkey)).status).toBe(401)
  const [code = ''] = person.recoveryCodes
  const { email, password } = person
  const body = { email, password, code }
  expect((await kit.client.call(signInContract.signIn, { body })).status).toBe(401)
  const listed = await kit.client.call(teamContract.listInvitations, {}, owner.as)
  expect(listed.body.data).toMatchObject([{ email, is_reset: true }])

  await sendMails(kit.services)
  const mail = kit.mailbox.taken.findLast(({ to }) => to === email)
  const link = /\S+\/operator\/accept#\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  const back = await signUp(kit, { token: tokenOf(link), email })
  expect((await selfOf(back)).body).toMatchObject({ id, role: 'support' })
  const history = await kit.client.call(accountContract.listSecurityEvents, { query: {} }, back.as)
  expect(history.body.data.map(({ kind }) => kind)).toEqual([
    'accepted',
    'sign_in_failed',
    'factors_reset',
    'accepted',
  ])
})

test('a person who resets is shown no link, and is told whether it is mailed', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const { id } = await anOperatorPerson(kit, 'support')
  // The mailbox of a sandbox has no mails to operators.
  for (const isReal of [false, true]) {
    kit.services.mailSender.isReal = isReal
    const input = { headers: {}, params: { id } }
    const reset = await kit.client.call(teamContract.resetFactors, input, owner.as)
    expect(reset.body).toMatchObject({ link: null, is_mailed: isReal })
  }
})

test('what a thief made in somebody’s name ends as their factors are reset', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const robbed = await anOperatorPerson(kit, 'owner')
  const { call } = kit.client
  const body = { name: 'A ledger', permissions: ['sale.read' as const], days: 30 }
  const made = await call(connectionsContract.createKey, { headers: {}, body }, robbed.as)
  const key = { accessToken: made.body.secret }
  const friend = { email: 'accomplice@example.com', role: 'owner' as const }
  const invited = await call(teamContract.inviteOperator, { headers: {}, body: friend }, robbed.as)
  expect((await call(operatorContract.getSaleState, {}, key)).status).toBe(200)

  const input = { headers: {}, params: { id: robbed.id } }
  await call(teamContract.resetFactors, input, owner.as)
  expect((await call(operatorContract.getSaleState, {}, key)).status).toBe(401)
  const link = { token: tokenOf(invited.body.link) }
  const opened = await call(signInContract.openInvitation, { body: link })
  expect(opened.refusal.reason).toBe('LinkInvalid')
  const { data } = (await call(operatorContract.listActions, { query: {} }, owner.as)).body
  const counts = { keys_ended: '1', invitations_withdrawn: '1' }
  expect(data[0]).toMatchObject({ act: 'resetFactors', details: counts })
})

test('sessions and links end up deleted, but for the one that shows when somebody was here', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const passkey = aSoftPasskey()
  const stays = await signUp(kit, await anInvitation(kit), passkey)
  const leaves = await signUp(kit, await anInvitation(kit))
  await anInvitation(kit)
  const idOf = async (person: SignedUp) => (await selfOf(person)).body.id
  const [stayed, left] = [await idOf(stays), await idOf(leaves)]
  await kit.passTime(60_000)
  expect((await usePasskey(kit, passkey)).status).toBe(204)
  const seen = async () =>
    (await kit.client.call(teamContract.listOperators, {}, operator)).body.data.find(
      ({ id }) => id === stayed,
    )?.last_seen_date
  const seenBefore = await seen()
  await remove(left, owner)
  const kept = async () => {
    await deleteExpiredRecords(kit.services)
    const { database } = kit.open
    const links = await database.selectFrom('operator_invitations').select('id').execute()
    const sessions = await database
      .selectFrom('operator_sessions')
      .select('operator_id')
      .where('operator_id', 'in', [stayed, left])
      .execute()
    return { links: links.length, sessions: sessions.map(({ operator_id: id }) => id).toSorted() }
  }
  await kit.passTime(29 * DAY_MS)
  expect(await kept()).toEqual({ links: 3, sessions: [stayed, stayed, left].toSorted() })
  await kit.passTime(3 * DAY_MS)
  expect(await kept()).toEqual({ links: 0, sessions: [stayed] })
  expect(await seen()).toBe(seenBefore)
})

test('the address of a mail to an operator that was never sent is kept for a month', async () => {
  const takenBack = await anInvitation(kit)
  const input = { headers: named, params: { id: takenBack.id } }
  await kit.client.call(teamContract.withdrawInvitation, input, operator)
  const person = await signUp(kit, await anInvitation(kit))
  await sendMails(kit.services)
  const body = { password: person.password }
  expect(
    (await kit.client.call(accountContract.renewOperatorCodes, { body }, person.as)).status,
  ).toBe(200)
  const send = async () => {
    throw new Unavailable(`The mail server did not take a mail (550 <${person.email}> is unknown)`)
  }
  const { database } = kit.open
  await database.updateTable('outbox_mails').set({ attempts: 79 }).execute()
  await sendMails({ ...kit.services, mailSender: { isReal: true, send } })
  const kept = async () => {
    await deleteExpiredRecords(kit.services)
    const mails = await database
      .selectFrom('outbox_mails')
      .select(['recipient', 'last_fault', 'is_given_up'])
      .where('user_id', 'is', null)
      .execute()
    expect(mails.filter(({ is_given_up: isLost }) => isLost)).toHaveLength(1)
    return [takenBack, person].map(({ email }) => JSON.stringify(mails).includes(email))
  }
  await kit.passTime(29 * DAY_MS)
  expect(await kept()).toEqual([true, true])
  await kit.passTime(2 * DAY_MS)
  expect(await kept()).toEqual([false, false])
})

test('a call that was on its way as its caller’s factors were reset makes nothing', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const robbed = await anOperatorPerson(kit, 'owner')
  const { id: sessionId } = await kit.open.database
    .selectFrom('operator_sessions')
    .select('id')
    .where('operator_id', '=', robbed.id)
    .executeTakeFirstOrThrow()
  const input = { headers: {}, params: { id: robbed.id } }
  await kit.client.call(teamContract.resetFactors, input, owner.as)

  const { services } = kit
  const permissions = roles.owner
  const [id, address] = [robbed.id, '192.0.2.1']
  const caller = { kind: 'person', role: 'owner', name: null, id, sessionId, permissions, address }
  const ended = { reason: 'Unauthenticated' }
  const key = { name: 'A ledger', permissions: ['sale.read' as const], days: 30 }
  await expect(createKey(services, key, caller as Operator)).rejects.toMatchObject(ended)
  const friend = { email: 'accomplice@example.com', role: 'owner' as const }
  await expect(inviteOperator(services, friend, caller as Operator)).rejects.toMatchObject(ended)
})

test('all owners are told of whoever may be a second person now, and is not an owner', async () => {
  const owner = await anOperatorPerson(kit, 'owner')
  const viewer = await anOperatorPerson(kit, 'viewer')
  const mails = async () => {
    await sendMails(kit.services)
    return kit.mailbox.taken.filter((mail) => mail.to === owner.email)
  }
  const invited = await signUp(kit, await anInvitation(kit, 'finance'))
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^A new operator with the role finance of the .* presale: Grace$/)
  expect(mail?.text).toContain(invited.email)
  await changeRole(viewer.id, 'finance', owner)
  expect(await mails()).toHaveLength(2)
  await changeRole(viewer.id, 'owner', owner)
  expect(await mails()).toHaveLength(3)
  // What an owner keeps is nothing new.
  await changeRole(viewer.id, 'finance', owner)
  expect(await mails()).toHaveLength(3)
})

/** Between the proof of the password and the change, an owner resets the person's factors. */
async function resetAmid(
  change: (person: SignedUp) => Promise<{ refusal: { reason: string } }>,
): Promise<string> {
  const owner = await anOperatorPerson(kit, 'owner')
  const person = await signUp(kit, await anInvitation(kit, 'finance'))
  const { id } = (await selfOf(person)).body
  const { passwords } = kit.services
  let isReset = false
  kit.services.passwords = {
    ...passwords,
    async verify(...given) {
      const isRight = await passwords.verify(...given)
      if (isReset) return isRight
      isReset = true
      const input = { headers: named, params: { id } }
      expect((await kit.client.call(teamContract.resetFactors, input, owner.as)).status).toBe(200)
      return isRight
    },
  }
  expect((await change(person)).refusal.reason).toBe('Unauthenticated')
  return id
}

test('what somebody with a stolen session had proved before a reset adds nothing after it', async () => {
  const id = await resetAmid(({ password, as }) =>
    kit.client.call(accountContract.renewOperatorCodes, { body: { password } }, as),
  )
  const codes = await kit.open.database
    .selectFrom('recovery_codes')
    .selectAll()
    .where('account_id', '=', id)
    .execute()
  expect(codes).toEqual([])
})

test('nor does it change the password', async () => {
  const passwordOf = async (id: string) =>
    (await findOperatorById(kit.open.database, id))?.password_hash
  let before: string | undefined
  const id = await resetAmid(async (person) => {
    before = await passwordOf((await selfOf(person)).body.id)
    const body = { current_password: person.password, password: 'the-thiefs-passw0rd' }
    return await kit.client.call(accountContract.changeOperatorPassword, { body }, person.as)
  })
  expect(await passwordOf(id)).toBe(before)
})
