import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { saleContract } from '#contract/sale.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const stagePath = API_BASE + saleContract.getActiveStage.path
const projectPath = API_BASE + saleContract.getCurrentProject.path

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  kit.app.inject({ method, url, headers })

/** Another reading of the market, so that the text is made by the next call. */
const invalidate = () => kit.services.market.invalidate()

describe('what is the same for everybody', () => {
  test.each(['made', 'ready'])('fits the contract where its text is %s', async (state) => {
    const { as } = await aUser(kit)
    const shared = Object.values(saleContract).filter((call) => 'sameForAll' in call)
    expect(shared).toHaveLength(9)
    if (state === 'made') invalidate()
    for (const call of shared) await kit.client.callWith(call, {}, as)
    for (const period of ['day', 'week', 'month', 'all'] as const) {
      await kit.client.call(saleContract.getPriceChart, { query: { period } })
    }
  })

  test('is made once for a reading of the market', async () => {
    let made = 0
    const { project } = kit.services.sale
    const own = await startApp({
      open: kit.open,
      app: {
        routes: [
          {
            name: 'getFinalPrice',
            endpoint: saleContract.getFinalPrice,
            handle: async () => {
              made += 1
              return { final_price: project.decimals }
            },
          },
        ],
      },
    })
    const path = API_BASE + saleContract.getFinalPrice.path
    const ask = () => own.app.inject({ url: path })
    const [first] = await Promise.all([ask(), ask(), ask()])
    expect((await own.app.inject({ url: `${path}?unknown=1` })).body).toBe(first.body)
    expect(made).toBe(1)
    own.services.market.invalidate()
    expect((await ask()).headers['etag']).toBe(first.headers['etag'])
    expect(made).toBe(2)
    await own.close()
  })

  test('has not to be sent again to whoever has it', async () => {
    invalidate()
    const first = await get(projectPath)
    expect(first.headers['cache-control']).toBe('no-cache')
    const etag = String(first.headers['etag'])
    for (const given of [etag, `"another", ${etag}`, etag.slice(2), '*']) {
      for (const isReady of [true, false]) {
        if (!isReady) invalidate()
        const again = await get(projectPath, { 'if-none-match': given })
        expect(again.statusCode).toBe(304)
        expect(again.headers['etag']).toBe(etag)
        expect(again.body).toBe('')
      }
    }
    const other = await get(projectPath, { 'if-none-match': 'W/"another"' })
    expect(other.statusCode).toBe(200)
    expect(other.body).toBe(first.body)
  })

  test('is compressed as its caller takes it', async () => {
    invalidate()
    const plain = await get(projectPath)
    for (let nth = 0; nth < 2; nth += 1) {
      const brotli = await get(projectPath, { 'accept-encoding': 'gzip, deflate, br' })
      const zipped = await get(projectPath, { 'accept-encoding': 'br;q=0, gzip' })
      const none = await get(projectPath, { 'accept-encoding': 'br;q=0, gzip;q=0.0' })
      expect(brotli.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
      expect(zipped.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
      expect(none.headers['content-encoding']).toBeUndefined()
      expect(none.body).toBe(plain.body)
      for (const { headers, rawPayload } of [plain, brotli, zipped, none]) {
        expect(headers['vary']).toBe('accept-encoding')
        expect(headers['content-length']).toBe(String(rawPayload.length))
        expect(headers['etag']).toBe(plain.headers['etag'])
      }
    }
  })

  test('has the headers of every reply, and an id of its own', async () => {
    invalidate()
    const made = await get(stagePath)
    const ready = await get(stagePath)
    const head = await get(stagePath, {}, 'HEAD')
    const ids = [made, ready, head].map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(3)
    const rest = ({ headers }: typeof made) => ({ ...headers, 'x-request-id': '', date: '' })
    expect(rest(ready)).toEqual(rest(made))
    expect(rest(head)).toEqual(rest(made))
    expect(rest(ready)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(head.body).toBe('')
  })

  test('is for those alone who may make the call', async () => {
    const { as } = await aUser(kit)
    const url = API_BASE + saleContract.getPromotionImages.path
    const headers = { authorization: `Bearer ${as.accessToken}` }
    const first = await get(url, headers)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const etag = String(first.headers['etag'])
    expect((await get(url, { ...headers, 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(401)
    expect((await get(url)).statusCode).toBe(401)
  })

  test('is never older than what an event has seen', async () => {
    const address = await kit.app.listen({ port: 0, host: '127.0.0.1' })
    const user = await aUser(kit)
    const events = await readEvents(address, user.as.accessToken)
    const ask = async () => (await kit.client.call(saleContract.getActiveStage, {})).body
    const before = await ask()
    const { body } = await kit.client.call(
      transactionsContract.createTransaction,
      { headers: {}, body: { purchase_amount: 100, purchase_token_id: 'eth' } },
      user.as,
    )
    const { payment_address, payment_amount } = body.data
    await kit.client.call(sandboxContract.pay, {
      body: { address: payment_address ?? '', amount: payment_amount ?? '' },
    })
    await kit.client.call(sandboxContract.mineBlocks, { body: { count: 2 } })
    const { stage } = await events.next(
      'stage',
      ({ stage: seen }) => (seen?.sold_tokens ?? 0) > before.sold_tokens,
    )
    expect((await ask()).sold_tokens).toBeGreaterThanOrEqual(stage?.sold_tokens ?? Infinity)
    events.close()
  })
})

test('the clock ends a text at the instant at which a stage begins', async () => {
  const own = await startApp({
    open: kit.open,
    changeSale: (sale) => ({
      ...sale,
      banners: [],
      stages: sale.stages.map((stage, nth) =>
        nth === 0 ? { ...stage, endsAt: new Date(Date.now() + 60_000) } : stage,
      ),
    }),
  })
  const list = async () => (await own.client.call(saleContract.listStages, {})).body
  expect((await list())[0]?.status).toBe('active')
  const [first] = own.services.sale.stages
  const leftMs = Number(first?.endsAt) - own.clock.now().getTime()
  // Less than a text is kept otherwise, so that only the stage's end can end it.
  own.clock.pass(leftMs - 300)
  expect((await list())[0]?.status).toBe('active')
  own.clock.pass(300)
  expect((await list())[0]?.status).not.toBe('active')
  await own.close()
})
