import { afterAll, beforeAll, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { connectionsContract } from '#contract/operator/connections.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { keyPermissions, type Permission } from '#domain/operators/permissions.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 24 * 60 * 60_000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

let count = 0
const tryToMake = (
  permissions: Permission[],
  as: CallOptions,
  days = 30,
  name = `Ledger ${(count += 1)}`,
) =>
  app.client.callWith(
    connectionsContract.createKey,
    { headers: named, body: { name, permissions, days } },
    as,
  )

async function aKey(permissions: Permission[], as: CallOptions = operator, days = 30) {
  const { key, secret } = (await tryToMake(permissions, as, days)).body as {
    key: { id: string; prefix: string; state: string }
    secret: string
  }
  return { ...key, secret, as: { accessToken: secret } }
}

const status = (as: CallOptions) => app.client.call(operatorContract.getSaleState, {}, as)

async function keyShown(id: string) {
  const { data } = (await app.client.call(connectionsContract.listKeys, {}, operator)).body
  return data.find((key) => key.id === id)
}

test('makes the calls that it was given, and no others', async () => {
  const key = await aKey(['sale.read'])
  expect(key.secret).toMatch(/^presale_[\w-]{43}$/)
  expect((await status(key.as)).status).toBe(200)
  const refused = await app.client.call(operatorContract.searchPurchases, { query: {} }, key.as)
  expect(refused.refusal.reason).toBe('PermissionMissing')
  expect(refused.refusal.message).toContain('see purchases (purchases.read)')
})

test('is mailed to every owner, with what it may do and without its secret', async () => {
  const owner = await anOperatorPerson(app, 'owner')
  const { secret } = await aKey(['sale.read', 'purchases.hold'])
  await sendMails(app.services)
  const [mail, ...more] = app.mailbox.taken.filter(({ to }) => to === owner.email)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^A new API key of the .* presale: Ledger \d+$/)
  expect(mail?.text).toContain('see how the sale stands; hold purchases')
  expect(`${mail?.text} ${mail?.html}`).not.toContain(secret)
})

test('is stored only as a hash, and is in no act', async () => {
  const key = await aKey(['sale.read'])
  const stored = await everythingStored(app.open.database)
  expect(stored).not.toContain(key.secret)
  expect(stored).toContain(key.prefix)
  const row = await app.open.database
    .selectFrom('api_keys')
    .select('key_hash')
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  expect(Buffer.from(row.key_hash)).toEqual(Buffer.from(hashToken(key.secret)))
  const list = (await app.client.call(connectionsContract.listKeys, {}, operator)).body
  expect(JSON.stringify(list)).not.toContain(key.secret)
})

test.each([
  'own.account',
  'approvals.read',
  'operators.manage',
  'connections.manage',
  'refunds.approve',
  'sale.close',
  'allocations.freeze',
  'delivery.manage',
] as const)(
  'is never given %s, nor has it by a row that was written by hand',
  async (permission) => {
    const { refusal } = await tryToMake([permission], operator)
    expect(refusal.reason).toBe('InvalidInput')
    const key = await aKey(['sale.read'])
    await app.open.database
      .updateTable('api_keys')
      .set({ permissions: [permission] })
      .where('id', '=', key.id)
      .execute()
    expect((await status(key.as)).refusal.reason).toBe('PermissionMissing')
    expect((await app.services.operators.findKey(key.secret))?.permissions).toEqual([])
  },
)

test('with all that a key may have, decides no approval and makes no key', async () => {
  const key = await aKey([...keyPermissions])
  const calls = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
  const forPeople = calls.filter(
    ({ permission, path }) =>
      permission !== undefined && (!keyPermissions.includes(permission) || /approv/.test(path)),
  )
  expect(forPeople.length).toBeGreaterThan(10)
  for (const endpoint of forPeople) {
    const params = { id: '6f1c24f1-8b1f-4a9e-9c36-0d2a7a2f9f10', name: 'none' }
    const input = {
      params,
      headers: named,
      ...(endpoint.body && { body: plausibleBody(endpoint) }),
    }
    const reply = await app.client.callWith(endpoint, input, key.as)
    expect(reply.refusal.reason, endpoint.path).toBe('PermissionMissing')
  }
})

test('does no more than its maker may, when it is made and later', async () => {
  const owner = await anOperatorPerson(app, 'owner')
  // The last owner could not be lowered.
  await anOperatorPerson(app, 'owner')
  const finance = await anOperatorPerson(app, 'finance')
  expect((await tryToMake(['sale.read'], finance.as)).refusal.reason).toBe('PermissionMissing')
  const key = await aKey(['sale.read', 'people.erase'], owner.as)
  expect((await app.services.operators.findKey(key.secret))?.permissions).toContain('people.erase')
  await app.open.database
    .updateTable('operators')
    .set({ role: 'viewer' })
    .where('id', '=', owner.id)
    .execute()
  expect((await app.services.operators.findKey(key.secret))?.permissions).toEqual(['sale.read'])
})

test('ends with its maker, by hand and by its time', async () => {
  const owner = await anOperatorPerson(app, 'owner')
  const ofOwner = await aKey(['sale.read'], owner.as)
  expect((await status(ofOwner.as)).status).toBe(200)
  await app.open.database
    .updateTable('operators')
    .set({ removed_at: app.clock.now() })
    .where('id', '=', owner.id)
    .execute()
  expect((await status(ofOwner.as)).refusal.message).toContain('was ended')
  expect(await keyShown(ofOwner.id)).toMatchObject({ state: 'ended', made_by: owner.name })

  const byHand = await aKey(['sale.read'])
  await app.client.call(
    connectionsContract.endKey,
    { params: { id: byHand.id }, headers: named },
    operator,
  )
  expect((await status(byHand.as)).refusal.reason).toBe('Unauthenticated')
  expect(await keyShown(byHand.id)).toMatchObject({ state: 'ended' })

  const short = await aKey(['sale.read'], operator, 1)
  await app.passTime(DAY_MS + 1_000)
  expect((await status(short.as)).refusal.reason).toBe('Unauthenticated')
  expect(await keyShown(short.id)).toMatchObject({ state: 'expired' })
})

test('has a name of its own as long as it may be used', async () => {
  const make = () => tryToMake(['sale.read'], operator, 1, 'Twice')
  expect((await make()).status).toBe(201)
  expect((await make()).refusal.errors).toEqual([
    {
      path: 'name',
      message: 'A usable key has this name. End that one, or choose another name',
    },
  ])
  await app.passTime(DAY_MS + 1_000)
  expect((await make()).status).toBe(201)
})

test('lasts a year at most, and says when it was used', async () => {
  expect((await tryToMake(['sale.read'], operator, 367)).refusal.reason).toBe('InvalidInput')
  const withoutDays = { name: 'A ledger', permissions: ['sale.read'] }
  const refused = await app.client.callWith(
    connectionsContract.createKey,
    { headers: named, body: withoutDays },
    operator,
  )
  expect(refused.refusal.errors).toMatchObject([{ path: 'days' }])
  const key = await aKey(['sale.read'], operator, 366)
  expect(await keyShown(key.id)).toMatchObject({ last_used_date: null, state: 'active' })
  await status(key.as)
  expect((await keyShown(key.id))?.last_used_date).not.toBeNull()
})
