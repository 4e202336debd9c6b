import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usersContract } from '#contract/users.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
/** Newest first, as pages show them. */
let ids: string[]
beforeAll(async () => {
  app = await startApp()
  buyer = await aUser(app)
  const made: string[] = []
  for (let count = 0; count < 7; count += 1) made.push((await aPurchase(app, buyer)).id)
  ids = made.toReversed()
})
afterAll(() => app.close())

async function page(query: { after?: string; before?: string; limit?: string }) {
  const input = { params: { id: buyer.user.id }, query }
  const { data, ...rest } = (await app.client.call(usersContract.listTransactions, input, buyer.as))
    .body
  return { ids: data.map(({ id }) => id), ...rest }
}

describe('the pages of transactions', () => {
  it('begin with the five newest', async () => {
    expect(await page({})).toEqual({
      ids: ids.slice(0, 5),
      before: null,
      after: ids[5],
      total: 7,
      position: 0,
    })
  })

  it('lead to the end and back', async () => {
    const second = await page({ after: ids[5] ?? '' })
    const end = { before: ids[5], after: null, total: 7, position: 5 }
    expect(second).toEqual({ ids: ids.slice(5), ...end })
    expect(await page({ before: second.before ?? '' })).toEqual({
      ids: ids.slice(0, 5),
      before: null,
      after: ids[5],
      total: 7,
      position: 0,
    })
  })

  it('hold as many as are asked for', async () => {
    expect(await page({ limit: '2', after: ids[2] ?? '' })).toEqual({
      ids: ids.slice(2, 4),
      before: ids[2],
      after: ids[4],
      total: 7,
      position: 2,
    })
    expect(await page({ limit: '2', before: ids[3] ?? '' })).toEqual({
      ids: ids.slice(1, 3),
      before: ids[1],
      after: ids[3],
      total: 7,
      position: 1,
    })
    expect(await page({ limit: '100' })).toEqual({
      ids,
      before: null,
      after: null,
      total: 7,
      position: 0,
    })
  })

  it('do not take a cursor that is somebody else’s or nobody’s', async () => {
    const stranger = await aUser(app)
    const theirs = await aPurchase(app, stranger)
    for (const after of [theirs.id, randomUUID()]) {
      const input = { params: { id: buyer.user.id }, query: { after } }
      const reply = await app.client.call(usersContract.listTransactions, input, buyer.as)
      expect(reply.refusal).toMatchObject({ code: 400, errors: [{ path: 'after' }] })
    }
  })

  it('are the owner’s alone, as is each transaction', async () => {
    const stranger = await aUser(app)
    const list = { params: { id: buyer.user.id }, query: {} }
    const reply = await app.client.call(usersContract.listTransactions, list, stranger.as)
    expect(reply.refusal).toMatchObject({ code: 404, reason: 'NotFound' })
    for (const id of [ids[0] ?? '', randomUUID(), 'not-an-id', '\u0000']) {
      const one = { params: { id } }
      const single = await app.client.call(transactionsContract.getTransaction, one, stranger.as)
      expect(single.refusal).toMatchObject({ code: 404, reason: 'NotFound' })
    }
  })
})
