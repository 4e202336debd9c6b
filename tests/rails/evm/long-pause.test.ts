import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, addressOf, dueOf, readAndLook, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'

/** The default of a node. */
const STATES_KEPT = 128
const BLOCKS_AWAY = 300
/** The first part of a reading, 64 blocks, is longer than a purchase and its grace. */
const BLOCK_SECONDS = 2
const EXPIRE_AFTER_MS = 60_000

let anvil: Anvil
let proxy: RpcProxy
let app: TestApp

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startRpcProxy(anvil.url)
  app = await startEvmApp({
    nodes: { 1: proxy.url },
    tokens: [aCoin()],
    environment: { EVM_GRACE_SECONDS_1: '30' },
    expireAfterMs: EXPIRE_AFTER_MS,
  })
})
afterAll(async () => {
  await app.close()
  await proxy.stop()
  await anvil.stop()
})

it('what a contract sent in a pause longer than the node’s states was sent in time', async () => {
  const payer = await anvil.deployPayer()
  const buyer = await aUser(app)
  const [purchase, unpaid] = [await aPurchase(app, buyer), await aPurchase(app, buyer)]
  const look = () => readAndLook(app, buyer, purchase)
  await look()
  await anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
  await anvil.mine()
  const later = `0x${((await anvil.height()) + 90).toString(16)}`
  await anvil.rpc('anvil_mine', [`0x${BLOCKS_AWAY.toString(16)}`, `0x${BLOCK_SECONDS}`])
  await app.passTime(BLOCKS_AWAY * BLOCK_SECONDS * 1_000 + 60_000)
  await refreshPrices(app.services)

  let isCut = true
  proxy.intercept = async (method, params, ask) => {
    if (isCut && method === 'eth_getBlockByNumber' && params[0] === later) return 503
    if (method !== 'eth_call') return await ask()
    const [, { blockHash }] = params as [unknown, { blockHash: string }]
    const block = await anvil.rpc<{ number: string }>('eth_getBlockByHash', [blockHash, false])
    if (Number(block.number) >= (await anvil.height()) - STATES_KEPT) return await ask()
    return { error: { code: -32000, message: 'missing trie node 3b70 (path )' } }
  }
  expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
  isCut = false
  for (let readings = 0; readings < 20; readings += 1) await watchChains(app.services)
  expect(await look()).toMatchObject({
    status: 'completed',
    status_reason: null,
    tokens: purchase.tokens,
  })
  expect(await lookAt(app, buyer, unpaid)).toMatchObject({ status: 'expired' })
  await expectInvariants(app)
})
