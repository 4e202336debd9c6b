import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddressBook } from '#server/database/rails/derived-addresses.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  aCoin,
  addressOf,
  aToken,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import { type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const ADDRESSES = 1_000
const BLOCKS = 2_000
/** Seven on a busy machine of two processors. */
const SECONDS_MAX = 40

describe('a chain that was not read for long, with many addresses', () => {
  let anvil: Anvil
  let proxy: RpcProxy
  let app: TestApp
  let usdt: string
  let payer: string

  beforeAll(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployToken()
    payer = await anvil.deployPayer()
    proxy = await startRpcProxy(anvil.url)
    app = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [aCoin(), aToken(usdt)] })
    await takeMany(app, ADDRESSES)
  }, 120_000)
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await anvil.stop()
  })

  it('is caught up with quickly, and everything paid meanwhile is found', async () => {
    const buyer = await aUser(app)
    const paymentTokens = ['eth', 'usdt', 'eth', 'usdt', 'eth']
    const purchases = []
    for (const token of paymentTokens) purchases.push(await aPurchase(app, buyer, { token }))
    await readAndLook(app, buyer, purchases[0] as (typeof purchases)[0])

    for (const [place, purchase] of purchases.entries()) {
      await anvil.mine(BLOCKS / 5 - 1)
      const [to, due] = [addressOf(purchase), dueOf(purchase)]
      if (place === 4) await anvil.call(payer, 'pay', [[to]], due)
      else if (paymentTokens[place] === 'eth') await anvil.send({ to, value: due })
      else await anvil.transferToken(usdt, to, due)
      await anvil.mine()
    }
    await anvil.mine(5)
    proxy.calls.clear()
    const startedAt = performance.now()
    const last = purchases.at(-1) as (typeof purchases)[0]
    let readings = 0
    while ((await readAndLook(app, buyer, last)).status !== 'completed' && readings < 100) {
      readings += 1
    }
    const seconds = (performance.now() - startedAt) / 1000
    const calls = [...proxy.calls.values()].reduce((sum, count) => sum + count, 0)
    expect(seconds).toBeLessThan(SECONDS_MAX)
    for (const purchase of purchases) {
      expect(await lookAt(app, buyer, purchase)).toMatchObject({
        status: 'completed',
        tokens: purchase.tokens,
      })
    }
    expect(app.complaints).toEqual([])
    // A call for each block, and few beside.
    expect(calls).toBeLessThan(BLOCKS + 300)
    await expectInvariants(app)
  })

  it('costs a few calls for each new block from then on', async () => {
    await anvil.mine()
    proxy.calls.clear()
    const buyer = await aUser(app)
    await readAndLook(app, buyer, await aPurchase(app, buyer))
    const calls = [...proxy.calls.values()].reduce((sum, count) => sum + count, 0)
    // Chain id, tip, two blocks, logs in three parts, and the balances of two assets in three.
    expect(calls).toBeLessThan(25)
  })
})

/** Addresses that were given to purchases long ago. */
async function takeMany({ open, services }: TestApp, count: number): Promise<void> {
  const book = createAddressBook(open.database, () => services.clock.now())
  const key = await open.database
    .selectFrom('pinned_keys')
    .select(['name', 'fingerprint'])
    .executeTakeFirstOrThrow()
  const addressAt = (index: number) => `0x${(index + 2 ** 40).toString(16).padStart(40, 'A')}`
  for (let taken = 0; taken < count; taken += 1) await book.take(key, 'eip155:1', addressAt)
}
