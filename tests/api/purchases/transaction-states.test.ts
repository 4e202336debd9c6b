import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usersContract } from '#contract/users.ts'
import { type TransactionState, transactionStates } from '#domain/settlement/outcome.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { owedPurchases, payRefund } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

type Query = { state?: TransactionState; after?: string; before?: string; limit?: string }

let app: TestApp
let buyer: RegisteredUser
/** By what became of them, each newest first. */
let open: string[]
let done: string[]
let refund: string[]
let neither: string[]
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
  const owed = await owedPurchases(app, buyer, 2)
  const [repaid, due] = owed.map(({ purchase }) => purchase.id)
  await payRefund(app, owed[0]?.receiptId ?? '', 'the-hash-that-paid')
  const older = await buyAndPay(app, buyer)
  const lapsed = await aPurchase(app, buyer)
  await passExpiry(app)
  const friend = await aUser(app, { referrals: { referred_by: buyer.user.id } })
  await buyAndPay(app, friend, { usd: 300 })
  const [reward] = (await list(buyer)).data
  const newer = await buyAndPay(app, buyer)
  const waiting = await aPurchase(app, buyer)
  const partly = await aPurchase(app, buyer)
  await pay(app, partly, part(partly, 0.5))
  await mine(app, 2)
  const processing = await aPurchase(app, buyer)
  await pay(app, processing)

  open = [processing.id, partly.id, waiting.id]
  done = [newer.id, reward?.id ?? '', older.id]
  refund = [due ?? '']
  neither = [lapsed.id, repaid ?? '']
})
afterAll(async () => {
  await expectAllWell(app)
  await app.close()
})

async function list({ user, as }: RegisteredUser, query: Query = {}) {
  const input = { params: { id: user.id }, query }
  return (await app.client.call(usersContract.listTransactions, input, as)).body
}

async function page(query: Query) {
  const { data, ...rest } = await list(buyer, query)
  return { ids: data.map(({ id }) => id), ...rest }
}

const whole = (ids: string[]) => ({
  ids,
  before: null,
  after: null,
  total: ids.length,
  position: 0,
})

describe('the transactions of a state', () => {
  it('are open while a payment, the rest of one or its confirmations are waited for', async () => {
    expect(await page({ state: 'open' })).toEqual(whole(open))
  })

  it('are done once they are credited, rewards among them', async () => {
    expect(await page({ state: 'done' })).toEqual(whole(done))
  })

  it('are a refund while money is owed back, and not once it is paid', async () => {
    expect(await page({ state: 'refund' })).toEqual(whole(refund))
  })

  it('are all of them where none is asked for', async () => {
    const all = await page({ limit: '100' })
    expect(all.ids.toSorted()).toEqual([...open, ...done, ...refund, ...neither].toSorted())
    expect(all).toEqual(whole(all.ids))
  })

  it('are turned in both directions without leaving it', async () => {
    const [first = '', second = '', third = ''] = open
    expect(await page({ state: 'open', limit: '1' })).toEqual({
      ids: [first],
      before: null,
      after: second,
      total: 3,
      position: 0,
    })
    expect(await page({ state: 'open', limit: '1', after: second })).toEqual({
      ids: [second],
      before: second,
      after: third,
      total: 3,
      position: 1,
    })
    expect(await page({ state: 'open', limit: '1', before: third })).toEqual({
      ids: [second],
      before: second,
      after: third,
      total: 3,
      position: 1,
    })
  })

  it('keep a place whose own transaction has left the state', async () => {
    const [newest = '', reward = '', older = ''] = done
    const [partly = ''] = open.slice(1)
    const [lapsed = ''] = neither
    expect(await page({ state: 'done', after: partly })).toEqual(whole(done))
    expect(await page({ state: 'open', after: newest })).toEqual({
      ids: [],
      before: newest,
      after: null,
      total: 3,
      position: 3,
    })
    expect(await page({ state: 'open', before: newest })).toEqual(whole(open))
    expect(await page({ state: 'done', limit: '2', before: lapsed })).toEqual({
      ids: [newest, reward],
      before: null,
      after: lapsed,
      total: 3,
      position: 0,
    })
    expect(await page({ state: 'done', after: lapsed })).toEqual({
      ids: [older],
      before: older,
      after: null,
      total: 3,
      position: 2,
    })
  })

  it('are none for somebody who has bought nothing, nor on a page of theirs', async () => {
    const stranger = await aUser(app)
    for (const state of transactionStates) {
      const { data, ...rest } = await list(stranger, { state })
      expect({ ids: data, ...rest }).toEqual(whole([]))
    }
    const query = { state: 'open', after: open[0] }
    const foreign = { params: { id: stranger.user.id }, query }
    const { refusal } = await app.client.callWith(
      usersContract.listTransactions,
      foreign,
      stranger.as,
    )
    expect(refusal).toMatchObject({ code: 400, errors: [{ path: 'after' }] })
  })
})
