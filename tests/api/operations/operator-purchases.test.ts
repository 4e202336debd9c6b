import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectAllWell,
  lookAt,
  mailsOf,
  mine,
  part,
  pay,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { listRefunds, named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const { searchPurchases, getPurchaseRecord, holdPurchase, releasePurchase, failPurchase } =
  operatorContract

let app: TestApp
let buyer: RegisteredUser
let other: RegisteredUser
beforeAll(async () => {
  app = await startApp()
  buyer = await aUser(app)
  other = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
})
afterAll(() => app.close())

async function search(query: Record<string, string>) {
  const { body } = await app.client.call(searchPurchases, { query }, operator)
  return { ...body, ids: body.data.map(({ id }) => id) }
}

const recordOf = async ({ id }: Transaction) =>
  (await app.client.call(getPurchaseRecord, { params: { id } }, operator)).body

type Marking = typeof holdPurchase | typeof releasePurchase | typeof failPurchase

const mark = (endpoint: Marking, id: string, reason = 'A look at it', seen: object = {}) =>
  app.client.callWith(
    endpoint,
    { params: { id }, headers: named, body: { reason, ...seen } },
    operator,
  )

describe('the list of purchases', () => {
  test('is filtered by status, buyer, id and address', async () => {
    const [bought, open, others] = [
      await buyAndPay(app, buyer),
      await aPurchase(app, buyer),
      await aPurchase(app, other),
    ]
    expect((await search({})).ids).toEqual([others.id, open.id, bought.id])
    expect((await search({ status: 'completed' })).ids).toEqual([bought.id])
    expect((await search({ q: ` ${buyer.email.toUpperCase()}` })).ids).toEqual([open.id, bought.id])
    expect((await search({ q: buyer.email, status: 'pending' })).ids).toEqual([open.id])
    expect((await search({ q: open.id })).ids).toEqual([open.id])
    const address = others.payment_address ?? ''
    for (const spelt of [address, address.toUpperCase(), ` ${address} `]) {
      expect((await search({ q: spelt })).ids).toEqual([others.id])
    }
    expect((await search({ q: 'nobody@example.com' })).ids).toEqual([])
    const [found] = (await search({ q: bought.id })).data
    expect(found).toMatchObject({
      user: { id: buyer.user.id, email: buyer.email },
      status: 'completed',
      payment_token: { id: 'eth', short_name: 'ETH', chain: 'ERC20' },
      usd: '100',
      credited_usd: '100',
    })
    expect(Number(found?.credited_tokens)).toBeCloseTo(bought.tokens.total, 0)
  })

  test('has pages that begin at an id', async () => {
    const all = (await search({ limit: '100' })).ids
    const first = await search({ limit: '2' })
    const second = await search({ limit: '2', after: first.after ?? '' })
    expect([...first.ids, ...second.ids]).toEqual(all.slice(0, 4))
    expect(second.after).toBe(all[4] ?? null)
  })

  test.each([
    [{ status: 'paid' }, 'status'],
    [{ user_id: 'x' }, 'user_id'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-02-31T00:00:00' }, 'to'],
    [{ sort: 'cheapest' }, 'sort'],
    [{ at_stake: 'yes' }, 'at_stake'],
    [{ q: 'x'.repeat(255) }, 'q'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ after: '00000000-0000-4000-8000-000000000000' }, 'after'],
    [{ who: 'me' }, 'who'],
  ])('refuses %j there', async (query, path) => {
    const reply = await app.client.callWith(searchPurchases, { query }, operator)
    expect(reply.refusal.errors?.map((error) => error.path)).toEqual([path])
  })
})

describe('a purchase in full', () => {
  test('has receipts, history, ledger and what is owed', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 0.4))
    await pay(app, purchase, part(purchase, 0.6))
    await mine(app, 2)
    const record = await recordOf(purchase)
    expect(record).toMatchObject({
      id: purchase.id,
      status: 'completed',
      amount: purchase.payment_amount,
      due_amount: '0',
      held_tokens: '0',
      refunds: [],
      marks: [],
      actions: [],
    })
    expect(record.receipts.map(({ state, amount }) => [state, amount]).toSorted()).toEqual(
      [
        ['confirmed', part(purchase, 0.4)],
        ['confirmed', part(purchase, 0.6)],
      ].toSorted(),
    )
    expect(record.history.map(({ status }) => status)).toEqual([
      'pending',
      'pending',
      'processing',
      'completed',
    ])
    const toBuyer = record.ledger.filter(
      ({ destination }) => destination === `user:${buyer.user.id}`,
    )
    expect(toBuyer.map(({ asset, amount }) => [asset, amount])).toEqual([
      ['token', record.credited_tokens],
    ])
    expect(record.ledger.filter(({ asset }) => asset === 'eth')).toHaveLength(2)
  })

  test.each(['x', '00000000-0000-4000-8000-000000000000'])('is a 404 for %s', async (id) => {
    const reply = await app.client.call(getPurchaseRecord, { params: { id } }, operator)
    expect(reply.refusal).toMatchObject({
      code: 404,
      message: 'There is no purchase with this id',
    })
  })
})

describe('holding a purchase', () => {
  test('keeps what comes from being credited, until it is released', async () => {
    const person = await aUser(app)
    const purchase = await aPurchase(app, person)
    expect((await mark(holdPurchase, purchase.id, 'Whose money is it?')).status).toBe(200)
    await pay(app, purchase)
    await mine(app, 2)
    expect(await lookAt(app, person, purchase)).toMatchObject({
      status: 'processing',
      status_reason: 'held',
    })
    expect(await balanceOf(app, person)).toBe(0)
    const { body } = await mark(releasePurchase, purchase.id, 'It is theirs')
    expect(body).toMatchObject({
      status: 'completed',
      marks: [
        { kind: 'held', reason: 'Whose money is it?' },
        { kind: 'released', reason: 'It is theirs' },
      ],
      actions: [
        { act: 'holdPurchase', operator: 'Olga', details: { reason: 'Whose money is it?' } },
        { act: 'releasePurchase', operator: 'Olga' },
      ],
    })
    expect(await balanceOf(app, person)).toBe(purchase.tokens.total)
    expect(await mailsOf(app, purchase)).toEqual([
      'purchase_created',
      'purchase_processing',
      'purchase_completed',
    ])
  })

  test('takes back what was credited', async () => {
    const person = await aUser(app)
    const bought = await buyAndPay(app, person)
    await mark(holdPurchase, bought.id)
    expect(await balanceOf(app, person)).toBe(0)
    await mark(releasePurchase, bought.id)
    expect(await balanceOf(app, person)).toBe(bought.tokens.total)
  })

  test('again tells another reason, by whom and when, and the same one only once', async () => {
    const person = await aUser(app)
    const purchase = await aPurchase(app, person)
    await mark(holdPurchase, purchase.id, 'Looks odd')
    for (const _each of ['once', 'again']) {
      const { body } = await mark(holdPurchase, purchase.id, 'Police: stolen coins')
      expect(body).toMatchObject({
        marks: [
          { kind: 'held', reason: 'Looks odd' },
          { kind: 'held', reason: 'Police: stolen coins' },
        ],
        actions: [
          { act: 'holdPurchase', details: { reason: 'Looks odd' } },
          { act: 'holdPurchase', details: { reason: 'Police: stolen coins' } },
        ],
      })
    }
    await pay(app, purchase)
    await mine(app, 2)
    const { body: inbox } = await app.client.call(
      consoleContract.listInbox,
      { query: { kind: 'held' } },
      operator,
    )
    const items = inbox.data.filter(({ purchase_id: id }) => id === purchase.id)
    expect(items).toMatchObject([{ detail: 'Police: stolen coins' }])
    // One release ends it all.
    await mark(releasePurchase, purchase.id)
    expect(await lookAt(app, person, purchase)).toMatchObject({ status: 'completed' })
  })
})

describe('failing a purchase', () => {
  test('frees its tokens and owes everything back', async () => {
    const person = await aUser(app)
    const bought = await buyAndPay(app, person)
    const { body } = await mark(failPurchase, bought.id, 'Money of somebody else')
    expect(body).toMatchObject({
      status: 'failed',
      credited_tokens: '0',
      refunds: [{ state: 'open', reason: 'failed', purchase_id: bought.id }],
    })
    expect(await balanceOf(app, person)).toBe(0)
    const { data } = await listRefunds(app)
    expect(data.map(({ purchase_id }) => purchase_id)).toContain(bought.id)
    await mark(failPurchase, bought.id, 'The bank says so too')
    expect(await mailsOf(app, bought)).toEqual([
      'purchase_created',
      'purchase_processing',
      'purchase_completed',
      'purchase_failed',
    ])
    expect((await recordOf(bought)).refunds).toMatchObject([{ state: 'open', reason: 'failed' }])
  })

  test('is undone by a release while nothing was paid back', async () => {
    const person = await aUser(app)
    const bought = await buyAndPay(app, person)
    await mark(failPurchase, bought.id)
    await mark(releasePurchase, bought.id)
    expect(await lookAt(app, person, bought)).toMatchObject({ status: 'completed' })
    const { data } = await listRefunds(app)
    expect(data.map(({ purchase_id }) => purchase_id)).not.toContain(bought.id)
  })
})

test.each([
  ['held', holdPurchase],
  ['failed', failPurchase],
])('a purchase that was completed since it was looked at is not %s', async (kind, endpoint) => {
  const bought = await buyAndPay(app, await aUser(app))
  const late = await mark(endpoint, bought.id, 'It is not paid', { status: 'pending' })
  expect(late.refusal).toMatchObject({
    code: 409,
    reason: 'PurchaseChanged',
    message: 'The purchase is completed by now, and no longer pending. Look at it again',
  })
  expect(await recordOf(bought)).toMatchObject({ status: 'completed', marks: [], actions: [] })
  // Repeating it changes nothing, though its status is another one by then.
  for (const _each of ['once', 'again']) {
    const { body } = await mark(endpoint, bought.id, 'It is of a thief', { status: 'completed' })
    expect(body).toMatchObject({ marks: [{ kind }] })
  }
})

test.each([
  ['released', releasePurchase],
  ['failed', failPurchase],
])('a purchase that was held anew since it was looked at is not %s', async (kind, endpoint) => {
  const purchase = await aPurchase(app, buyer)
  await pay(app, purchase)
  const unmarked = { marked_date: null }
  await mark(holdPurchase, purchase.id, 'Looks odd', unmarked)
  const held = await recordOf(purchase)
  const seen = { status: held.status, marked_date: held.marks[0]?.date }
  await mark(holdPurchase, purchase.id, 'Police: stolen coins', seen)
  for (const stale of [seen, unmarked]) {
    const late = await mark(endpoint, purchase.id, 'It is fine', stale)
    expect(late.refusal).toMatchObject({
      code: 409,
      reason: 'PurchaseChanged',
      message: 'The purchase was held since you looked. Look at it again',
    })
  }
  const { status, marks } = await recordOf(purchase)
  expect(marks.map(({ reason }) => reason)).toEqual(['Looks odd', 'Police: stolen coins'])
  const now = { status, marked_date: marks.at(-1)?.date }
  await mark(endpoint, purchase.id, 'The police were wrong', now)
  expect((await recordOf(purchase)).marks.at(-1)).toMatchObject({ kind })
})

test('nothing is released that nobody has marked', async () => {
  const purchase = await aPurchase(app, await aUser(app))
  const reply = await mark(releasePurchase, purchase.id)
  expect(reply.refusal).toMatchObject({ code: 409, reason: 'NotMarked' })
  await mark(holdPurchase, purchase.id)
  await mark(releasePurchase, purchase.id)
  expect((await mark(releasePurchase, purchase.id)).refusal.reason).toBe('NotMarked')
})

test.each<[string, Marking, Record<string, unknown>, Record<string, string>, string]>([
  ['no reason', holdPurchase, {}, named, 'reason'],
  ['blanks', failPurchase, { reason: '  ' }, named, 'reason'],
  ['a long reason', releasePurchase, { reason: 'x'.repeat(501) }, named, 'reason'],
  ['nobody who says so', holdPurchase, { reason: 'x' }, {}, 'operator-name'],
])('marking with %s is refused', async (_, endpoint, body, headers, path) => {
  const purchase = await aPurchase(app, await aUser(app))
  const input = { params: { id: purchase.id }, headers, body }
  const reply = await app.client.callWith(endpoint, input, operator)
  expect(reply.refusal.errors?.map((error) => error.path)).toEqual([path])
  expect((await recordOf(purchase)).marks).toEqual([])
})

test.each(['x', '00000000-0000-4000-8000-000000000000'])(
  'marking the purchase %s, which is none, is a 404',
  async (id) => {
    for (const endpoint of [holdPurchase, releasePurchase, failPurchase]) {
      expect((await mark(endpoint, id)).status).toBe(404)
    }
  },
)
