import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  balanceOf,
  expectInvariants,
  mailsOf,
  passExpiry,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import type { TestDatabase } from '#tests/kit/servers/database.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { keepTime, type TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp, utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'

const HOUR_MS = 3_600_001
const FEE = 20_000n
const HIGHER_FEE = 200_000n

describe('a payment that waits for a block', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let app: TestApp
  const xpub = utxoAccountKey('LTC', 'waiting payments')
  /** By so much the clock that only goes forward is ahead. */
  let passed = 0

  beforeAll(async () => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
    app = await start()
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
    vi.restoreAllMocks()
  })

  const start = (open?: TestDatabase, node = proxy) =>
    startUtxoApp({
      nodes: { LTC: node.url },
      environment: { LTC_XPUB: xpub },
      expireAfterMs: 300_000,
      ...(open && { open }),
    })

  /** Another server, which remembers nothing of what the first one has seen. */
  const startAnother = async (node = proxy) => await keepTime(app, await start(app.open, node))

  async function aWaitingPurchase() {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    const look = () => readAndLook(app, buyer, purchase)
    return { buyer, purchase, address: addressOf(purchase), due: dueOf(purchase), look }
  }

  /** The change of a transaction that waits. */
  async function aWaitingCoin() {
    const coin = await litecoind.aCoin()
    const txid = await litecoind.send(await litecoind.sign(coin, [], FEE))
    return { txid, vout: 0, amount: coin.amount - Number(FEE) / 1e8 }
  }

  /** One that was seen waiting, and a coin that another transaction may spend in its place. */
  async function aSightedPayment(isCoinWaiting = false) {
    const waiting = await aWaitingPurchase()
    const coin = isCoinWaiting ? await aWaitingCoin() : await litecoind.aCoin()
    const raw = await litecoind.sign(coin, [[waiting.address, waiting.due]], FEE)
    const hash = await litecoind.send(raw)
    expect(await waiting.look()).toMatchObject({ status: 'processing', confirmations: 0 })
    return { ...waiting, coin, raw, hash }
  }

  it('that is replaced by another amount counts by what was mined', async () => {
    const { purchase, address, due, coin, look } = await aSightedPayment()
    const less = await litecoind.sign(coin, [[address, due / 2n]], HIGHER_FEE)
    const hash = await litecoind.send(less)
    const seen = await look()
    expect(seen.receipts).toMatchObject([{ explorer_url: expect.stringContaining(hash) as string }])
    await litecoind.mine(CONFIRMATIONS)
    const underpaid = await look()
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    expect(dueOf(underpaid)).toBe(due - due / 2n)
    await litecoind.pay([address, due - due / 2n])
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it.each([
    ['a coin that a block has', false],
    ['a coin that waits itself', true],
  ])(
    'of %s, whose fee is raised after the expiry, was sent in time all the same',
    async (_, isCoinWaiting) => {
      const { purchase, address, due, coin, look } = await aSightedPayment(isCoinWaiting)
      await passExpiry(app)
      await litecoind.rpc('setmocktime', Math.floor(app.clock.now().getTime() / 1000))
      await litecoind.send(await litecoind.sign(coin, [[address, due]], HIGHER_FEE))
      await litecoind.rpc('setmocktime', 0)
      expect(await look()).toMatchObject({ status: 'processing', status_reason: null })
      await litecoind.mine(CONFIRMATIONS)
      const completed = await look()
      expect(completed).toMatchObject({ status: 'completed', status_reason: null })
      expect(completed.tokens).toEqual(purchase.tokens)
    },
  )

  it('whose fee is raised after the expiry was sent in time also where a reading is lost', async () => {
    const { purchase, address, due, coin, look } = await aSightedPayment()
    await passExpiry(app)
    await litecoind.rpc('setmocktime', Math.floor(app.clock.now().getTime() / 1000))
    await litecoind.send(await litecoind.sign(coin, [[address, due]], HIGHER_FEE))
    await litecoind.rpc('setmocktime', 0)
    proxy.intercept = async (method, _, ask) => {
      // Another server is quicker meanwhile.
      if (method === 'getrawmempool') {
        const read_through = app.clock.now()
        await app.open.database.updateTable('chains').set({ read_through }).execute()
      }
      return await ask()
    }
    const lost = await look()
    expect(lost.receipts).toHaveLength(1)
    proxy.intercept = null
    const seen = await look()
    expect(seen).toMatchObject({ status: 'processing', status_reason: null, receipts: [{}] })
    expect(seen.receipts).not.toEqual(lost.receipts)
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it('that is replaced by one to somebody else is gone', async () => {
    const { purchase, buyer, coin, look } = await aSightedPayment()
    await litecoind.send(await litecoind.sign(coin, [], HIGHER_FEE))
    const gone = await look()
    expect(gone).toMatchObject({ status: 'pending', receipts: [] })
    expect(gone.payment_amount).toBe(purchase.payment_amount)
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(await balanceOf(app, buyer)).toBe(0)
  })

  it('whose coin a block spends otherwise is gone, with nobody having replaced it', async () => {
    const { address, due, coin, look } = await aSightedPayment()
    await litecoind.mineOnly([await litecoind.sign(coin, [], HIGHER_FEE)])
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    await litecoind.pay([address, due])
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  /** A node that has lost what waits, and knows which coins blocks have. */
  const forgetful: RpcProxy['intercept'] = async (method, params, ask) => {
    if (method === 'getrawmempool') return { result: [] }
    if (method !== 'gettxout') return await ask()
    return { result: await litecoind.rpc(method, params[0], params[1], false) }
  }

  it('that a node has forgotten along with its coin waits on', async () => {
    const { look } = await aSightedPayment(true)
    proxy.intercept = forgetful
    expect(await look()).toMatchObject({ status: 'processing', receipts: [{}] })
    proxy.intercept = null
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', status_reason: null })
  })

  it('whose coin waited, and was mined and then spent otherwise, is gone', async () => {
    const { coin, look } = await aSightedPayment(true)
    await litecoind.mineOnly([coin.txid])
    expect(await look()).toMatchObject({ status: 'processing', confirmations: 0 })
    await litecoind.mineOnly([await litecoind.sign(coin, [], HIGHER_FEE)])
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
  })

  it('that one of several nodes has forgotten waits on, and counts once', async () => {
    const { purchase, raw, look } = await aSightedPayment()
    for (const node of [forgetful, null, forgetful]) {
      proxy.intercept = node
      expect(await look()).toMatchObject({ status: 'processing', receipts: [{}] })
    }
    await litecoind.mineOnly([raw], 1)
    expect(await look()).toMatchObject({ status: 'processing', confirmations: 1 })
    proxy.intercept = null
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(completed.receipts).toHaveLength(1)
  })

  it('and is seen again after it was forgotten for long, and gone, counts once', async () => {
    const { purchase, raw, hash, look } = await aSightedPayment()
    proxy.intercept = forgetful
    expect(await look()).toMatchObject({ status: 'processing' })
    passed += HOUR_MS
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'processing' })
    await litecoind.mineOnly([raw], 1)
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(completed.receipts).toMatchObject([
      { explorer_url: expect.stringContaining(hash) as string },
    ])
  })

  it('leaves for a block just as it is asked for, and is not lost', async () => {
    const { address, due, purchase, look } = await aWaitingPurchase()
    await litecoind.pay([address, due])
    proxy.intercept = async (method, _, ask) => {
      if (method === 'getrawtransaction') await litecoind.mine(CONFIRMATIONS)
      return await ask()
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it.each([
    ['as it is asked for', 'getrawtransaction'],
    ['as the time since when it waits is asked for', 'getmempoolentry'],
  ])('leaves for a block just %s, and does not expire before it is read', async (_, asked) => {
    const { address, due, purchase, look } = await aWaitingPurchase()
    await litecoind.pay([address, due])
    // Longer than the time that a payment may take to reach the node.
    await app.passTime(app.services.sale.purchases.expireAfterMs + 61_000)
    await refreshPrices(app.services)
    proxy.intercept = async (method, _params, ask) => {
      if (method === asked) await litecoind.mine()
      return await ask()
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'processing', status_reason: null })
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it.each([
    ['just before those that wait are listed', 'getrawmempool'],
    ['between that and the end of the chain', 'getbestblockhash'],
  ])('is mined %s, and known at once', async (_, asked) => {
    const { purchase, look } = await aSightedPayment()
    proxy.intercept = async (method, _params, ask) => {
      if (method === asked) await litecoind.mine()
      return await ask()
    }
    expect(await look()).toMatchObject({ status: 'processing', confirmations: 1 })
    proxy.intercept = null
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it('is asked for once, and so is what concerns nobody here', async () => {
    const { look } = await aSightedPayment()
    const others = Array.from({ length: 20 }, () => litecoind.rpc<string>('getnewaddress'))
    for (const address of await Promise.all(others)) await litecoind.pay([address, 1_000_000n])
    await look()
    proxy.calls.clear()
    await look()
    expect(proxy.calls.get('getrawtransaction')).toBeUndefined()
    expect(proxy.calls.get('decoderawtransaction')).toBeUndefined()
    await litecoind.mine(CONFIRMATIONS)
  })

  it('and was replaced while the server was away is gone for the next one after an hour', async () => {
    const { purchase, buyer, coin } = await aSightedPayment()
    const kept = await aSightedPayment()
    await litecoind.send(await litecoind.sign(coin, [], HIGHER_FEE))
    // A node may only have forgotten it.
    const later = await startAnother()
    const seen = await readAndLook(later, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', receipts: [{}] })
    passed += HOUR_MS
    for (const server of [later, app]) {
      const gone = await readAndLook(server, buyer, purchase)
      expect(gone).toMatchObject({ status: 'pending', receipts: [] })
    }
    await litecoind.mine(CONFIRMATIONS)
    const completed = await readAndLook(later, kept.buyer, kept.purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: kept.purchase.tokens })
    await later.close()
  })

  it('and whose fee was raised while the server was away counts once, and in time', async () => {
    const { purchase, buyer, address, due, coin } = await aSightedPayment()
    await passExpiry(app)
    await litecoind.rpc('setmocktime', Math.floor(app.clock.now().getTime() / 1000))
    const hash = await litecoind.send(await litecoind.sign(coin, [[address, due]], HIGHER_FEE))
    await litecoind.rpc('setmocktime', 0)
    const later = await startAnother()
    const look = () => readAndLook(later, buyer, purchase)
    expect(await look()).toMatchObject({
      status: 'processing',
      receipts: [{ explorer_url: expect.stringContaining(hash) as string }],
    })
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    await later.close()
  })

  it('where only one of two servers asks a node that knows of it waits on for both', async () => {
    const second = await playMainnet('LTC', litecoind.url)
    second.intercept = forgetful
    const beside = await startAnother(second)
    const { purchase, buyer, look } = await aSightedPayment()
    for (let times = 0; times < 3; times += 1) {
      const seen = await readAndLook(beside, buyer, purchase)
      expect(seen).toMatchObject({ status: 'processing', receipts: [{}] })
      expect(await look()).toMatchObject({ status: 'processing', receipts: [{}] })
    }
    const kinds = ['purchase_created', 'purchase_processing']
    expect(await mailsOf(app, purchase)).toEqual(kinds)
    passed += HOUR_MS
    for (let times = 0; times < 3; times += 1) {
      await readAndLook(beside, buyer, purchase)
      expect(await look()).toMatchObject({ status: 'processing', receipts: [{}] })
    }
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    const afterAnHour = ['purchase_reversed', 'purchase_processing', 'purchase_completed']
    expect(await mailsOf(app, purchase)).toEqual([...kinds, ...afterAnHour])
    await beside.close()
    await second.stop()
  })

  it('and is not reached yet among many others does not expire by a block', async () => {
    const own = await startUtxoApp({ nodes: { LTC: proxy.url }, expireAfterMs: 300_000 })
    const buyer = await aUser(own)
    const purchase = await aPurchase(own, buyer, { token: 'ltc' })
    const look = () => readAndLook(own, buyer, purchase)
    const hash = await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    // More than can be looked at in a few readings, with the payment at the end.
    const others = Array.from({ length: 1_000 }, (_, each) => each.toString(16).padStart(64, '0'))
    proxy.intercept = async (method, params, ask) => {
      if (method === 'getrawmempool') return { result: [...others, hash] }
      if (method !== 'getrawtransaction' || params[0] === hash) return await ask()
      await setTimeout(16)
      return { error: { code: -5, message: 'No such mempool transaction' } }
    }
    await passExpiry(own)
    // The time that a payment may take to reach the node.
    await own.passTime(60_000)
    const now = Math.floor(own.services.clock.now().getTime() / 1000)
    await litecoind.rpc('setmocktime', now)
    await litecoind.mineOnly()
    await litecoind.rpc('setmocktime', 0)
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'processing', receipts: [{}] })
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    await expectInvariants(own)
    await own.close()
  })
})
