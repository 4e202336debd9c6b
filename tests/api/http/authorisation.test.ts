import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount } from '#domain/money.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import type { LooseInput, Reply } from '#tests/kit/servers/client.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { deliveringSale } from '#tests/kit/delivery/a-wallet.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** Every call of the contract, so that none can be without its row. */
const calls = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(
    ([name, endpoint]) => [`${group}.${name}`, endpoint] as const,
  ),
)

type Owner = RegisteredUser & { purchase: Transaction; sessionId: string; claimId: string }

let kit: TestApp
let owner: Owner
/** Tokens that are good for nothing, by what is wrong with them. */
let strangers: [string, string | undefined][]
beforeAll(async () => {
  kit = await startApp({ changeSale: deliveringSale })
  owner = await anOwner()
  strangers = [
    ['nobody', undefined],
    ['garbage', 'garbage'],
    ['a refresh token', owner.tokens.refresh.token],
    ['the operator', OPERATOR_TOKEN],
    ['an ended session', await tokenWith({ ended_at: new Date() })],
    ['an expired access token', await tokenWith({ access_expires_at: new Date() })],
    ['an erased user', await tokenOfErased()],
  ]
})
afterAll(() => kit.close())

/** Somebody with something of every kind that could leak. */
async function anOwner(): Promise<Owner> {
  const user = await aUser(kit, { first_name: 'Hypatia', last_name: 'Alexandrina' })
  const purchase = await aPurchase(kit, user)
  const params = { id: user.user.id }
  const sessions = await kit.client.call(usersContract.listSessions, { params }, user.as)
  const claimId = await aClaimOf(user.user.id)
  return { ...user, purchase, sessionId: sessions.body[0]?.id ?? '', claimId }
}

async function aClaimOf(userId: string): Promise<string> {
  const id = randomUUID()
  const now = new Date()
  await kit.open.database
    .insertInto('refund_claims')
    .values({
      id,
      user_id: userId,
      rail: 'sandbox',
      chain: 'sandbox',
      payment_token_id: 'eth',
      address: 'sandbox-wallet-of-hypatia',
      amount: cryptoAmount(2n),
      fee: cryptoAmount(1n),
      claimed_at: now,
      approvable_at: now,
    })
    .execute()
  return id
}

async function tokenWith(change: { ended_at?: Date; access_expires_at?: Date }): Promise<string> {
  const [user] = await manyUsers(kit.open.database, 1)
  await kit.open.database
    .updateTable('sessions')
    .set(change)
    .where('user_id', '=', user?.id ?? '')
    .execute()
  return user?.as.accessToken ?? ''
}

/** Of a user who was erased while a login was under way: the session is there all the same. */
async function tokenOfErased(): Promise<string> {
  const [user] = await manyUsers(kit.open.database, 1)
  await kit.open.database
    .updateTable('users')
    .set({ erased_at: new Date() })
    .where('id', '=', user?.id ?? '')
    .execute()
  return user?.as.accessToken ?? ''
}

async function tokenOfOther(): Promise<string> {
  const [user] = await seeded(1)
  return user?.as.accessToken ?? ''
}

/** Users with a password that can be compared: the owner's hash, to make none. */
async function seeded(count: number) {
  const { database } = kit.open
  const users = await manyUsers(database, count)
  const { password_hash } = await database
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', owner.email)
    .executeTakeFirstOrThrow()
  const ids = users.map(({ id }) => id)
  await database.updateTable('users').set({ password_hash }).where('id', 'in', ids).execute()
  return users
}

/** A call about what belongs to an owner, or to nobody. */
function inputFor(
  endpoint: Endpoint,
  about: Pick<Owner, 'user' | 'purchase' | 'sessionId' | 'claimId'>,
): LooseInput {
  const id = endpoint.path.startsWith('/users/')
    ? about.user.id
    : endpoint.path.startsWith('/transactions/')
      ? about.purchase.id
      : endpoint.path.startsWith('/refunds/')
        ? about.claimId
        : 'eth'
  return {
    params: { id, session_id: about.sessionId, format: 'csv', name: 'none' },
    query:
      endpoint.path.includes('-password') || endpoint.path.includes('verify-')
        ? { token: 'x' }
        : {},
    ...(endpoint.body && { body: plausibleBody(endpoint) }),
  }
}

const nothing = {
  user: { id: '00000000-0000-4000-8000-000000000000' },
  purchase: { id: '00000000-0000-4000-8000-000000000001' },
  sessionId: '00000000-0000-4000-8000-000000000002',
  claimId: '00000000-0000-4000-8000-000000000003',
} as Owner

async function make(
  endpoint: Endpoint,
  input: LooseInput,
  accessToken: string | undefined,
): Promise<Reply<unknown>> {
  return await kit.client.callWith(endpoint, input, { accessToken, remoteAddress: anAddress() })
}

const isOwned = ({ path }: Endpoint) =>
  path.startsWith('/users/{id}') ||
  path.startsWith('/transactions/{id}') ||
  path.startsWith('/refunds/claims/{id}')

const bodyOf = (reply: Reply<unknown>): object =>
  reply.status < 400 ? { body: reply.body } : { ...reply.refusal, request_id: '' }

function expectNoLeak(reply: Reply<unknown>, what: string): void {
  const text = JSON.stringify([bodyOf(reply), reply.headers])
  const { user, email, purchase, sessionId, claimId, tokens } = owner
  const theirs = [
    user.id,
    email,
    user.first_name,
    user.last_name,
    purchase.id,
    purchase.payment_address ?? '',
    sessionId,
    claimId,
    'sandbox-wallet-of-hypatia',
    tokens.access.token,
    tokens.refresh.token,
  ]
  for (const secret of theirs) expect(text, what).not.toContain(secret)
}

const forUsers = calls.filter(([, endpoint]) => endpoint.access === 'user')
const forOperators = calls.filter(([, endpoint]) => endpoint.access === 'operator')
const forAll = calls.filter(([, { access }]) => access === 'open' || access === 'optional')
/** A stream's contents, which never end, have a test of their own. */
const answered = forUsers.filter(([, endpoint]) => endpoint.events === undefined)

test('every call of the contract has its place in the matrix', () => {
  expect(forUsers.length + forOperators.length + forAll.length).toBe(calls.length)
  expect(forUsers.length).toBeGreaterThan(15)
  expect(answered.filter(([, endpoint]) => isOwned(endpoint)).length).toBeGreaterThan(8)
})

describe('a call for users', () => {
  test.each(forUsers)('%s is the same 401 for every token that is none', async (_, endpoint) => {
    const input = inputFor(endpoint, owner)
    const first = await make(endpoint, input, undefined)
    for (const [who, token] of strangers) {
      const reply = await make(endpoint, input, token)
      expect(reply.refusal.reason, who).toBe('Unauthenticated')
      expect(bodyOf(reply), who).toEqual(bodyOf(first))
      expectNoLeak(reply, who)
    }
  })

  test.each(answered)('%s shows another user nothing of the owner’s', async (_, endpoint) => {
    for (const about of [owner, nothing]) {
      const reply = await make(endpoint, inputFor(endpoint, about), await tokenOfOther())
      expect([401, 500]).not.toContain(reply.status)
      expectNoLeak(reply, 'another user')
    }
  })

  test.each(answered)('%s is there for the owner', async (_, endpoint) => {
    const own = endpoint.method === 'GET' ? owner : await anOwner()
    const reply = await make(endpoint, inputFor(endpoint, own), own.as.accessToken)
    expect([401, 404, 500]).not.toContain(reply.status)
  })
})

describe('a call about what belongs to somebody', () => {
  const owned = answered.filter(([, endpoint]) => isOwned(endpoint))

  test.each(owned)('%s is to others a 404, that of nobody’s', async (_, endpoint) => {
    const others = await make(endpoint, inputFor(endpoint, owner), await tokenOfOther())
    const nobodys = await make(endpoint, inputFor(endpoint, nothing), await tokenOfOther())
    expect(others.refusal).toMatchObject({ code: 404, reason: 'NotFound' })
    expect(bodyOf(others)).toEqual(bodyOf(nobodys))
    for (const id of ['x', '\u0000', '../me', owner.user.id.toUpperCase()]) {
      const input = inputFor(endpoint, owner)
      const params = { ...input.params, id }
      const reply = await make(endpoint, { ...input, params }, await tokenOfOther())
      expect(bodyOf(reply), id).toEqual(bodyOf(nobodys))
    }
  })

  test('ends no session of the owner through one’s own address', async () => {
    const [other] = await seeded(1)
    const params = { id: other?.id ?? '', session_id: owner.sessionId }
    const reply = await make(usersContract.endSession, { params }, other?.as.accessToken)
    expect(reply.status).toBe(404)
    const get = await make(
      usersContract.getUser,
      inputFor(usersContract.getUser, owner),
      owner.as.accessToken,
    )
    expect(get.status).toBe(200)
  })

  test('takes no cursor that belongs to the owner', async () => {
    const [other] = await seeded(1)
    for (const query of [{ after: owner.purchase.id }, { before: owner.purchase.id }]) {
      const input = { params: { id: other?.id ?? '' }, query }
      const reply = await make(usersContract.listTransactions, input, other?.as.accessToken)
      expect(reply.status).toBe(400)
      const unknown = { ...input, query: { after: nothing.purchase.id } }
      expect(
        (await make(usersContract.listTransactions, unknown, other?.as.accessToken)).status,
      ).toBe(400)
    }
  })
})

test.each(forOperators)('%s is a 401 for anyone but an operator', async (_, endpoint) => {
  const users: [string, string | undefined][] = [['the owner', owner.as.accessToken], ...strangers]
  for (const [who, token] of users.filter(([, one]) => one !== OPERATOR_TOKEN)) {
    const reply = await make(endpoint, inputFor(endpoint, owner), token)
    expect(reply.refusal.reason, who).toBe('Unauthenticated')
    expectNoLeak(reply, who)
  }
})

/** The sandbox's mailbox and wallet are everybody's: a place to try things, with play money. */
const openToAll = forAll.filter(([name]) => !name.startsWith('sandbox.'))

test.each(openToAll)('%s, which is open, reveals nothing of the owner', async (_, endpoint) => {
  for (const [who, token] of [...strangers, ['another user', await tokenOfOther()] as const]) {
    const reply = await make(endpoint, inputFor(endpoint, owner), token)
    expect(reply.status, who).toBeLessThan(500)
    expectNoLeak(reply, who)
  }
})
