import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  passExpiry,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  accountKey,
  aCoin,
  addressOf,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
} from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import {
  coinNamed,
  playMainnet,
  startUtxoApp,
  type CoinSymbol,
} from '#tests/kit/servers/utxo-app.ts'

const LONG = { timeout: 40_000, interval: 0 }

type Header = { result: { previousblockhash: string; time: number } }
type Info = { result: { chain: string; initialblockdownload: boolean } }

describe('a node of the Bitcoin family', () => {
  let litecoind: Litecoind
  let anvil: Anvil
  let proxy: RpcProxy
  let app: TestApp

  beforeAll(async () => {
    litecoind = await startLitecoind()
    anvil = await startAnvil(1)
    proxy = await playMainnet('LTC', litecoind.url)
    app = await startUtxoApp({
      nodes: { LTC: proxy.url },
      tokens: [aCoin()],
      environment: {
        EVM_XPUB: accountKey('beside a node that fails'),
        EVM_RPC_URL_1: anvil.url,
        EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
      },
      expireAfterMs: 300_000,
    })
  })
  afterEach(async () => {
    proxy.intercept = null
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await litecoind.stop()
    await anvil.stop()
  })

  const complaints = () =>
    app.complaints.splice(0).map(({ facts, message }) => {
      const { error } = facts
      return error instanceof Error ? error.message : message
    })

  async function aPaidPurchase() {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS + 3)
    return { buyer, purchase, look: () => readAndLook(app, buyer, purchase) }
  }

  it('that is down loses nothing, expires nothing, and hides no other chain', async () => {
    const { purchase, look } = await aPaidPurchase()
    proxy.intercept = async () => 503
    const other = await aUser(app)
    const ether = await aPurchase(app, other, { token: 'eth' })
    await anvil.send({ to: addressOf(ether), value: dueOf(ether) })
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, other, ether)).toMatchObject({ status: 'completed' })
    await passExpiry(app)
    await app.passTime(60_000)
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(new Set(complaints())).toEqual(new Set([expect.stringContaining('with status 503')]))
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it.each([
    // What passes through is renamed; a space saves it from that.
    ['of a network for tests', { chain: 'regtest ' }, 'is of the network regtest'],
    ['still downloading', { initialblockdownload: true }, 'is still downloading the blocks'],
  ])('that is %s is not read', async (_, changes: Partial<Info['result']>, reason) => {
    const { look } = await aPaidPurchase()
    proxy.intercept = async (method, _params, ask) => {
      const answer = await ask()
      if (method !== 'getblockchaininfo') return answer
      return { result: { ...(answer as Info).result, ...changes } }
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining(reason)])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['another first block', 'getblockhash', { result: 'ab'.repeat(32) }],
    ['addresses of another kind', 'validateaddress', { result: { isvalid: false } }],
    [
      'addresses that stand for something else',
      'validateaddress',
      { result: { isvalid: true, scriptPubKey: `0014${'ab'.repeat(20)}` } },
    ],
  ])('that has %s is of another coin, and is not read', async (_, asked, answer) => {
    const { look } = await aPaidPurchase()
    proxy.intercept = async (method, _params, ask) => (method === asked ? answer : await ask())
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining('is of another coin, not of litecoin')])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it.each([
    [
      'has pruned a block that is yet to be read',
      'getblock',
      { error: { code: -1, message: 'Block not available (pruned data)' } },
      'pruned data',
    ],
    ['answers garbage', 'getbestblockhash', { result: 'the best' }, 'with something else'],
    ['answers a block with garbage', 'getblock', { result: { tx: 1 } }, 'with something else'],
    ['refuses the login', 'getrawmempool', 401, 'with status 401'],
  ])('that %s credits nothing, and loses nothing', async (_, asked, answer, reason) => {
    const { look } = await aPaidPurchase()
    proxy.intercept = async (method, _params, ask) => (method === asked ? answer : await ask())
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining(reason)])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('that reports blocks that do not follow from one another is not believed', async () => {
    const { look } = await aPaidPurchase()
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      if (method !== 'getblockheader') return answer
      return { result: { ...(answer as Header).result, previousblockhash: 'cd'.repeat(32) } }
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining('does not follow')])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('stands in for one that is unreachable or of another coin', async () => {
    const bitcoin = await playMainnet('BTC', litecoind.url)
    const nodes = { LTC: `${bitcoin.url} http://127.0.0.1:1 ${proxy.url}` }
    const own = await startUtxoApp({ nodes })
    const buyer = await aUser(own)
    const purchase = await aPurchase(own, buyer, { token: 'ltc' })
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS)
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(own.complaints).toEqual([])
    // The chain of that one is not even read.
    expect([...bitcoin.calls.keys()].toSorted()).toEqual([
      'getblockchaininfo',
      'getblockhash',
      'validateaddress',
    ])
    await own.close()
    await bitcoin.stop()
  })

  it('that is not there when the server starts takes no purchases until it is', async () => {
    const later = await playMainnet('LTC', litecoind.url)
    later.intercept = async () => 502
    const own = await startUtxoApp({ nodes: { LTC: later.url } })
    const buyer = await aUser(own)
    const refused = await tryToBuy(own, buyer, { token: 'ltc' })
    expect(refused.refusal).toMatchObject({ reason: 'RailUnavailable' })
    expect(own.complaints.splice(0)).toMatchObject([
      { facts: { chain: 'litecoin', unavailable: ['LTC'] } },
      { message: 'A chain could not be read. The server tries again soon' },
    ])
    later.intercept = null
    await watchChains(own.services)
    expect(await tryToBuy(own, buyer, { token: 'ltc' })).toMatchObject({ status: 201 })
    await own.close()
    await later.stop()
  })

  it('that is cut off from its network takes no purchases, and nothing expires', async () => {
    const own = await startUtxoApp({ nodes: { LTC: proxy.url }, expireAfterMs: 300_000 })
    const buyer = await aUser(own)
    const purchase = await aPurchase(own, buyer, { token: 'ltc' })
    const now = Math.floor(Date.now() / 1000)
    const old = now - coinNamed('LTC').silentMaxMs / 1000 - 600
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      return method === 'getblockheader'
        ? { result: { ...(answer as Header).result, time: old } }
        : answer
    }
    await passExpiry(own)
    await own.passTime(60_000)
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'pending' })
    const fresh = await startUtxoApp({ nodes: { LTC: proxy.url } })
    const refused = await tryToBuy(fresh, await aUser(fresh), { token: 'ltc' })
    expect(refused.refusal).toMatchObject({ reason: 'RailUnavailable' })
    await fresh.close()
    proxy.intercept = null
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'expired' })
    await own.close()
  })

  it('that has no peers is not read, and nothing expires meanwhile', async () => {
    const own = await startUtxoApp({ nodes: { LTC: proxy.url }, expireAfterMs: 300_000 })
    const buyer = await aUser(own)
    const purchase = await aPurchase(own, buyer, { token: 'ltc' })
    await litecoind.rpc('setnetworkactive', false)
    await passExpiry(own)
    await own.passTime(60_000)
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'pending' })
    await litecoind.rpc('setnetworkactive', true)
    const alone = { error: { message: expect.stringContaining('has no peers') as string } }
    expect(own.complaints.splice(0)).toMatchObject([{ facts: alone }, { facts: alone }])
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'expired' })
    await own.close()
  })

  it('that takes in blocks only is not read', async () => {
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      if (method !== 'getnetworkinfo') return answer
      return { result: { ...(answer as { result: object }).result, localrelay: false } }
    }
    await watchChains(app.services)
    expect(complaints()).toEqual([expect.stringContaining('takes in blocks only')])
  })

  it('that is yet to load what waits takes no payment back', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', receipts: [{}] })
    proxy.intercept = async (method, _, ask) => {
      if (method === 'getrawmempool') return { result: [] }
      const answer = await ask()
      if (method !== 'getmempoolinfo') return answer
      return { result: { ...(answer as { result: object }).result, loaded: false } }
    }
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({
      status: 'processing',
      receipts: seen.receipts,
    })
    expect(complaints()).toEqual([expect.stringContaining('is still loading')])
    proxy.intercept = null
    await litecoind.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('is read on from where it was left, however long the server was away', async () => {
    await watchChains(app.services)
    const { buyer, purchase } = await aPaidPurchase()
    await litecoind.mine(300)
    proxy.calls.clear()
    // One block alone holds something for the sale, and only that one is taken apart.
    const blocks = CONFIRMATIONS + 3 + 300 + 1
    const readOn = async () => {
      const { status } = await readAndLook(app, buyer, purchase)
      return { status, blocks: proxy.calls.get('getblock') }
    }
    // Where one reading is not long enough for so many blocks, the next goes on with the rest.
    await expect.poll(readOn, LONG).toEqual({ status: 'completed', blocks })
    expect(await readOn()).toEqual({ status: 'completed', blocks })
  })

  it.each<[CoinSymbol, RegExp, string]>([
    ['BTC', /^bc1q[0-9a-z]{38}$/, 'bitcoin'],
    ['DOGE', /^D[1-9A-HJ-NP-Za-km-z]{33}$/, 'dogecoin'],
  ])('of %s is read like the others', async (symbol, form, scheme) => {
    const played = await playMainnet(symbol, litecoind.url)
    const own = await startUtxoApp({ nodes: { [symbol]: played.url } })
    const buyer = await aUser(own)
    const purchase = await aPurchase(own, buyer, { token: symbol.toLowerCase() })
    expect(addressOf(purchase)).toMatch(form)
    expect(purchase.payment_uri).toBe(
      `${scheme}:${addressOf(purchase)}?amount=${purchase.payment_amount}`,
    )
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    expect(await readAndLook(own, buyer, purchase)).toMatchObject({ status: 'processing' })
    await litecoind.mine(CONFIRMATIONS)
    const completed = await readAndLook(own, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    await expectInvariants(own)
    await own.close()
    await played.stop()
  })
})
