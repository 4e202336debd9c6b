import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { usersContract } from '#contract/users.ts'
import type { PurchaseRequest } from '#domain/sale/booking.ts'
import { tokenAmount } from '#domain/money.ts'
import type { LiveChange } from '#domain/live-change.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mine,
  pay,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterEach(() => expectInvariants(app))
afterAll(() => app.close())

describe('making a purchase', () => {
  it('locks what is due and what it buys, and gives an address of its own', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { usd: 1000, token: 'usdt' })
    expect(purchase).toMatchObject({
      type: 'purchase',
      status: 'pending',
      status_reason: null,
      user_id: buyer.user.id,
      initial_purchase_amount_fiat: 1000,
      actual_purchase_amount_fiat: null,
      token_price: 0.0001,
      confirmations: 0,
      required_confirmations: 2,
      receipts: [],
    })
    expect(purchase.tokens.base).toBe(10_000_000)
    // Stage 10 %, amount 5 %, first week 5 %, first purchase 5 %, first day 3 %.
    expect(purchase.tokens.bonuses).toEqual({
      base_bonus: 1_000_000,
      spending_bonus: 500_000,
      limited_time_bonus: 500_000,
      limited_time_signup_bonus: 300_000,
      first_purchase_bonus: 500_000,
    })
    expect(purchase.tokens.total).toBe(12_800_000)
    expect(purchase.payment_address).toMatch(/^sandbox-usdt-[a-z2-7]{32}$/)
    expect(Number(purchase.payment_amount)).toBeGreaterThan(950)
    expect(await lookAt(app, buyer, purchase)).toEqual(purchase)
  })
})

describe('a paid purchase', () => {
  it('is processing once the payment is seen, and completed after two blocks', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const receiptId = await pay(app, purchase)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'processing',
      confirmations: 0,
      receipts: [{ id: receiptId, amount: purchase.payment_amount, confirmations: 0 }],
    })
    await mine(app)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'processing',
      confirmations: 1,
    })
    await mine(app)
    const completed = await lookAt(app, buyer, purchase)
    expect(completed).toMatchObject({
      status: 'completed',
      confirmations: 2,
      payment_amount: '0',
      payment_uri: null,
      actual_purchase_amount_fiat: 100,
      tokens: purchase.tokens,
    })
    expect(completed.completed_date).not.toBeNull()
    const { body } = await app.client.call(
      usersContract.getUser,
      { params: { id: buyer.user.id } },
      buyer.as,
    )
    expect(body.tokens.total).toBe(purchase.tokens.total)
    expect(body.tokens.base).toBe(purchase.tokens.base)
  })
})

describe('the preview of bonuses', () => {
  const preview = (usd: number, accessToken?: string) =>
    app.client.call(
      saleContract.calculateBonus,
      { body: { purchase_token_id: 'matic', purchase_amount: usd, token_price: 1e9, bonuses: {} } },
      { accessToken },
    )

  it('is what the purchase then gets, whatever the client believes', async () => {
    const buyer = await aUser(app)
    for (const usd of [10, 249.999999, 250, 12_345.67]) {
      const { body } = await preview(usd, buyer.as.accessToken)
      expect((await aPurchase(app, buyer, { usd, token: 'matic' })).tokens.bonuses).toEqual(body)
    }
  })

  it('without a login has only what everybody gets', async () => {
    const { body } = await preview(1000)
    expect(Object.keys(body).toSorted()).toEqual([
      'base_bonus',
      'limited_time_bonus',
      'spending_bonus',
      'tiered_fiat_bonus',
    ])
  })
})

describe('live events', () => {
  it('names a purchase at each change, and the stage when tokens are sold', async () => {
    const heard: LiveChange[] = []
    const stop = app.services.live.subscribe((change) => heard.push(change))
    const buyer = await aUser(app)
    const { id } = await aPurchase(app, buyer)
    const change = { kind: 'purchase', userId: buyer.user.id, transactionId: id }
    await vi.waitFor(() => expect(heard).toEqual([change]))
    await pay(app, await lookAt(app, buyer, { id }))
    await vi.waitFor(() => expect(heard).toEqual([change, change]))
    await mine(app, 2)
    await vi.waitFor(() => expect(heard).toEqual([change, change, change, { kind: 'stage' }]))
    stop()
  })
})

describe('purchases that are booked together', () => {
  /** A request as it reaches the booking, for another buyer. */
  async function requestsFor(count: number): Promise<PurchaseRequest[]> {
    const captured: PurchaseRequest[] = []
    const { bookPurchase } = app.services
    app.services.bookPurchase = async (request) => {
      captured.push(request)
      return await bookPurchase(request)
    }
    await aPurchase(app, await aUser(app))
    app.services.bookPurchase = bookPurchase
    const [sample] = captured
    if (sample === undefined) throw new Error('Nothing was booked.')
    const users = await manyUsers(app.open.database, count)
    return users.map(({ id: userId }) => ({
      ...sample,
      id: randomUUID(),
      userId,
      idempotencyKey: null,
      address: randomUUID(),
      paymentId: randomUUID(),
    }))
  }

  it('keep their answers when those of another stage fail', async () => {
    const [one, other, misplaced] = await requestsFor(3)
    if (one === undefined || other === undefined || misplaced === undefined) throw new Error('Few.')
    const elsewhere = { ...misplaced, terms: { ...misplaced.terms, stageId: 'no-such-stage' } }
    const results = await Promise.allSettled([one, other, elsewhere].map(app.services.bookPurchase))
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { outcome: 'created' } },
      { status: 'fulfilled', value: { outcome: 'created' } },
      { status: 'rejected' },
    ])
  })

  it('are never reported as created without being stored', async () => {
    const [request] = await requestsFor(1)
    if (request === undefined) throw new Error('Few.')
    const nothing = { ...request.terms, reserved: tokenAmount(0n) }
    const booking = app.services.bookPurchase({
      ...request,
      terms: nothing,
      firstTerms: nothing,
    })
    await expect(booking).rejects.toThrow(/violates check constraint/)
  })
})

describe('an idempotency key', () => {
  it('gives the same purchase for the same request, 50 times at once', async () => {
    const buyer = await aUser(app)
    const tries = Array.from({ length: 50 }, () => tryToBuy(app, buyer, { key: 'the-same' }))
    const ids = new Set((await Promise.all(tries)).map(({ body }) => body.data.id))
    expect(ids.size).toBe(1)
  })

  it('is refused for another request', async () => {
    const buyer = await aUser(app)
    await aPurchase(app, buyer, { usd: 100, key: 'mine' })
    const again = await tryToBuy(app, buyer, { usd: 200, key: 'mine' })
    expect(again.refusal).toMatchObject({ code: 409, reason: 'IdempotencyKeyReused' })
  })

  it('of two requests at once serves one and refuses the other', async () => {
    const buyer = await aUser(app)
    const replies = await Promise.all([
      tryToBuy(app, buyer, { usd: 100, key: 'contested' }),
      tryToBuy(app, buyer, { usd: 200, key: 'contested' }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('belongs to one user', async () => {
    const [one, other] = [await aUser(app), await aUser(app)]
    const mine = await aPurchase(app, one, { key: 'shared' })
    const theirs = await aPurchase(app, other, { key: 'shared' })
    expect(mine.id).not.toBe(theirs.id)
  })
})
