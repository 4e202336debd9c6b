import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { tokenAmount, usd } from '#domain/money.ts'
import { expectInvariants, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let addresses: number
beforeAll(startWithDearAddresses)
beforeEach(() => {
  addresses = 0
})
afterEach(() => expectInvariants(app))
afterAll(() => app.close())

/** A sale on a rail where each address that is given has used up something. */
async function startWithDearAddresses(): Promise<void> {
  app = await startApp({
    changeSale: (sale) => {
      const { purchases } = sale
      const small = smallStages({
        supply: tokenAmount(10n ** 24n),
        minUsd: usd(10_000_000n),
        maxUsd: usd(1_000_000_000n),
      })(sale)
      return { ...small, purchases }
    },
  })
  const sandbox = app.services.rails.get('sandbox')
  if (sandbox === undefined) throw new Error('There is no sandbox.')
  const { addressesAreFree, ...dear } = sandbox
  expect(addressesAreFree).toBe(true)
  const createAddress: typeof dear.createAddress = async (request) => {
    addresses += 1
    return await dear.createAddress(request)
  }
  app.services.rails = new Map([['sandbox', { ...dear, createAddress }]])
}

async function buyAtOnce(
  count: number,
  options: { usd: number; key?: string; from?: string },
  buyers: readonly SeededUser[],
) {
  return await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const buyer = buyers[n % buyers.length]
      if (buyer === undefined) throw new Error('There are no buyers.')
      return tryToBuy(app, buyer, options)
    }),
  )
}

type Replies = Awaited<ReturnType<typeof buyAtOnce>>

const made = (replies: Replies) => replies.filter(({ status }) => status === 201)
const reasons = (replies: Replies) =>
  new Set(replies.flatMap((reply) => (reply.status === 201 ? [] : reply.refusal.reason)))

it('300 purchases of one account at once take as many addresses as become purchases', async () => {
  const options = { usd: 10, from: '198.51.100.1' }
  const replies = await buyAtOnce(300, options, await manyUsers(app.open.database, 1))
  expect(made(replies)).toHaveLength(10)
  expect(addresses).toBe(10)
  expect(reasons(replies)).toEqual(new Set(['TooManyOpenPurchases', 'Busy']))
  const busy = replies.find(({ status }) => status === 503)
  expect(busy?.headers['retry-after']).toBe('1')
})

it('100 accounts of one connection at once take hardly more addresses than become purchases', async () => {
  const options = { usd: 1_000, from: '203.0.113.1' }
  const replies = await buyAtOnce(100, options, await manyUsers(app.open.database, 100))
  expect(made(replies)).toHaveLength(10)
  expect(addresses).toBeLessThanOrEqual(13)
  expect(reasons(replies)).toEqual(new Set(['ConnectionWorthReached']))
})

it('a click that is sent several times at once takes one address', async () => {
  const options = { usd: 10, key: 'the-same-click', from: '192.0.2.1' }
  const replies = await buyAtOnce(5, options, await manyUsers(app.open.database, 1))
  expect(new Set(made(replies).map(({ body }) => body.data.id)).size).toBe(1)
  expect(made(replies)).toHaveLength(5)
  expect(addresses).toBe(1)
})

it('a request that waits for an address goes on after one that failed', async () => {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is nobody.')
  const attempts = [1, 2_000, 1, 20].map((amount) => tryToBuy(app, buyer, { usd: amount }))
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([400, 400, 400, 201])
})
