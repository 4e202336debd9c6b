import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { deriveEvmAddress } from '#server/payments/evm/derive-address.ts'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  accountKey,
  aCoin,
  addressOf,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import { type Intercept, type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'

/** The default of a node. */
const STATES_KEPT = 128
const BLOCKS_AWAY = 300
/** The first part of a reading, 64 blocks, is longer than a purchase and its grace. */
const BLOCK_SECONDS = 2
const EXPIRE_AFTER_MS = 60_000

const EVM_XPUB = accountKey('a long pause')
const KEY = parseExtendedKey(EVM_XPUB, {
  name: 'EVM_XPUB',
  prefixes: ['xpub'],
  path: "m/44'/60'/0'",
}) as ExtendedKey

let anvil: Anvil
let proxy: RpcProxy
let app: TestApp

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startRpcProxy(anvil.url)
  app = await startEvmApp({
    nodes: { 1: proxy.url },
    tokens: [aCoin()],
    environment: { EVM_XPUB, EVM_GRACE_SECONDS_1: '30', DERIVATION_INDEX_MIN: '5' },
    expireAfterMs: EXPIRE_AFTER_MS,
  })
})
afterEach(() => {
  proxy.intercept = null
})
afterAll(async () => {
  await app.close()
  await proxy.stop()
  await anvil.stop()
})

async function pause(): Promise<void> {
  await anvil.rpc('anvil_mine', [`0x${BLOCKS_AWAY.toString(16)}`, `0x${BLOCK_SECONDS}`])
  await app.passTime(BLOCKS_AWAY * BLOCK_SECONDS * 1_000 + 60_000)
  await refreshPrices(app.services)
}

/** @param missing The height of a block that the node does not return, either. */
function forgetful(missing?: number): Intercept {
  return async (method, params, ask) => {
    if (method === 'eth_getBlockByNumber' && Number(params[0]) === missing) return 503
    if (method !== 'eth_call') return await ask()
    const [, { blockHash }] = params as [unknown, { blockHash: string }]
    const block = await anvil.rpc<{ number: string }>('eth_getBlockByHash', [blockHash, false])
    if (Number(block.number) >= (await anvil.height()) - STATES_KEPT) return await ask()
    return { error: { code: -32000, message: 'missing trie node 3b70 (path )' } }
  }
}

it('what a contract sent in a pause longer than the node’s states was sent in time', async () => {
  const payer = await anvil.deployPayer()
  const buyer = await aUser(app)
  const [purchase, unpaid] = [await aPurchase(app, buyer), await aPurchase(app, buyer)]
  const look = () => readAndLook(app, buyer, purchase)
  await look()
  await anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
  await anvil.mine()
  await pause()
  const later = (await anvil.height()) - BLOCKS_AWAY + 90
  proxy.intercept = forgetful(later)
  expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
  proxy.intercept = forgetful()
  for (let readings = 0; readings < 20; readings += 1) await watchChains(app.services)
  expect(await look()).toMatchObject({
    status: 'completed',
    status_reason: null,
    tokens: purchase.tokens,
  })
  expect(await lookAt(app, buyer, unpaid)).toMatchObject({ status: 'expired' })
  await expectInvariants(app)
})

it('what was recorded is not found again, whoever it was for and whatever it was called', async () => {
  const { database } = app.open
  const buyer = await aUser(app)
  const purchase = await aPurchase(app, buyer)
  const skipped = deriveEvmAddress(KEY, 2)
  await anvil.send({ to: skipped, value: 7n })
  await anvil.send({ to: addressOf(purchase), value: 9n })
  await anvil.mine()
  await watchChains(app.services)
  // As where the coin was not one of the sale's then.
  const foreign = { payment_token_id: null, asset: 'native' }
  await database
    .updateTable('receipts')
    .set(foreign)
    .where('purchase_id', '=', purchase.id)
    .execute()
  const recorded = async () => [
    ...(await database.selectFrom('unmatched_transfers').selectAll().execute()),
    ...(await database.selectFrom('receipts').selectAll().execute()),
  ]
  const before = await recorded()
  await pause()
  // The balances before the pause are remembered only until a part was read.
  proxy.intercept = forgetful((await anvil.height()) - BLOCKS_AWAY + 90)
  for (let readings = 0; readings < 6; readings += 1) await watchChains(app.services)
  proxy.intercept = forgetful()
  for (let readings = 0; readings < 20; readings += 1) await watchChains(app.services)
  expect(await recorded()).toHaveLength(before.length)
})
