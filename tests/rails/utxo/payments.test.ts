import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  balanceOf,
  expectAllWell,
  mailsOf,
  passExpiry,
  refundsOf,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, regtest, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

/** So many blocks may take more than one reading. */
const LONG = { timeout: 40_000, interval: 0 }
/** Of the network that the node plays. */
const FIRST_EXTENDED = 432

describe('paying with a coin of the Bitcoin family', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let app: TestApp

  beforeAll(async () => {
    litecoind = await startLitecoind({ extensionBlocks: true })
    proxy = await playMainnet('LTC', litecoind.url)
    app = await startUtxoApp({ nodes: { LTC: proxy.url }, expireAfterMs: 300_000 })
  })
  afterEach(async () => {
    await expectAllWell(app)
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await litecoind.stop()
  })

  it('is seen waiting, then mined, confirmed and completed', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    expect(purchase).toMatchObject({ required_confirmations: CONFIRMATIONS })
    expect(addressOf(purchase)).toMatch(/^ltc1q[0-9a-z]{38}$/)
    expect(purchase.payment_uri).toBe(
      `litecoin:${addressOf(purchase)}?amount=${purchase.payment_amount}`,
    )
    const hash = await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', confirmations: 0 })
    expect(seen.receipts).toMatchObject([{ explorer_url: `https://litecoinspace.org/tx/${hash}` }])

    await litecoind.mine()
    const mined = await readAndLook(app, buyer, purchase)
    expect(mined).toMatchObject({ status: 'processing', confirmations: 1 })
    expect(mined.receipts).toHaveLength(1)
    await litecoind.mine(CONFIRMATIONS - 2)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await litecoind.mine()
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
    expect(await mailsOf(app, purchase)).toEqual([
      'purchase_created',
      'purchase_processing',
      'purchase_completed',
    ])
  })

  /** A purchase that waits to be paid. */
  async function aWaitingPurchase() {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    const look = () => readAndLook(app, buyer, purchase)
    return { buyer, purchase, address: addressOf(purchase), due: dueOf(purchase), look }
  }

  it('adds several payments up, and shows what is still due', async () => {
    const { purchase, address, due, look } = await aWaitingPurchase()
    await litecoind.pay([address, due - 10_000_001n])
    await litecoind.mine()
    const underpaid = await look()
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    expect(dueOf(underpaid)).toBe(10_000_001n)
    await litecoind.pay([address, 10_000_001n])
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(completed.receipts).toHaveLength(2)
  })

  it('of a tenth too much buys more tokens with the rest', async () => {
    const { purchase, address, due, look } = await aWaitingPurchase()
    await litecoind.pay([address, due + due / 10n])
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', status_reason: 'overpaid' })
    expect(completed.tokens.total).toBeGreaterThan(purchase.tokens.total)
  })

  it('pays two purchases by outputs of one transaction, and one of them twice', async () => {
    const first = await aWaitingPurchase()
    const second = await aWaitingPurchase()
    const coin = await litecoind.aCoin()
    const half = first.due / 2n
    const raw = await litecoind.sign(coin, [
      [first.address, half],
      [second.address, second.due],
      [first.address, first.due - half],
    ])
    await litecoind.send(raw)
    expect(await first.look()).toMatchObject({ status: 'processing' })
    expect(await second.look()).toMatchObject({ status: 'processing' })
    await litecoind.mine(CONFIRMATIONS)
    const completed = await first.look()
    expect(completed).toMatchObject({ status: 'completed', tokens: first.purchase.tokens })
    expect(completed.receipts).toHaveLength(2)
    expect(await second.look()).toMatchObject({ status: 'completed' })
  })

  it('is found in a block that nobody saw it waiting for', async () => {
    const { purchase, address, due, look } = await aWaitingPurchase()
    await litecoind.pay([address, due])
    // Nobody looks until after the expiry, and its block comes only then, too.
    await app.passTime(app.services.sale.purchases.expireAfterMs + 60_000)
    await litecoind.rpc('setmocktime', Math.floor(app.clock.now().getTime() / 1000))
    await litecoind.mine(CONFIRMATIONS)
    await litecoind.rpc('setmocktime', 0)
    await refreshPrices(app.services)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('is on time once it waits, whenever its block comes', async () => {
    const paid = await aWaitingPurchase()
    const unpaid = await aWaitingPurchase()
    await litecoind.pay([paid.address, paid.due])
    expect(await paid.look()).toMatchObject({ status: 'processing' })
    await passExpiry(app)
    expect(await unpaid.look()).toMatchObject({ status: 'pending' })
    // No block is needed to know that nothing came: a minute later a payer would be seen.
    await app.passTime(60_000)
    expect(await unpaid.look()).toMatchObject({ status: 'expired' })
    await litecoind.mine(CONFIRMATIONS)
    expect(await paid.look()).toMatchObject({ status: 'completed', status_reason: null })
  })

  it('is none when it is a block’s new coins, which are listed for refund', async () => {
    const { address, due, purchase, look } = await aWaitingPurchase()
    await litecoind.rpc('generatetoaddress', 1, regtest(address))
    await litecoind.mine(CONFIRMATIONS)
    const seen = await look()
    expect(seen).toMatchObject({ status: 'pending', status_reason: 'wrong_asset' })
    expect(dueOf(seen)).toBe(due)
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'wrong_asset' }])
  })

  it('counts when it comes out of Litecoin’s extension blocks', async () => {
    // They begin at a height of this network, with the first coins that move into them.
    await litecoind.mine(FIRST_EXTENDED - 1 - (await litecoind.height()))
    const hidden = await litecoind.rpc<string>('getnewaddress', '', 'mweb')
    await litecoind.rpc('sendtoaddress', hidden, 40)
    await litecoind.mine(10)
    const { purchase, address, due, look } = await aWaitingPurchase()
    const visible = await litecoind.rpc<{ txid: string; vout?: number }[]>('listunspent', 0)
    const locked = visible.filter(({ vout }) => vout !== undefined)
    const lock = (isUnlocked: boolean) =>
      litecoind.rpc(
        'lockunspent',
        isUnlocked,
        locked.map(({ txid, vout }) => ({ txid, vout })),
      )
    await lock(false)
    await litecoind.pay([address, due])
    await lock(true)
    // While it waits, the extension block's part of it is all there is, and shows nothing.
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    await litecoind.mine(CONFIRMATIONS)
    await expect.poll(look, LONG).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })
})
