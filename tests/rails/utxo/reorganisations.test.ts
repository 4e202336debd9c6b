import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aPurchase, balanceOf, expectInvariants, mailsOf } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

/** So many blocks may take more than one reading. */
const LONG = { timeout: 40_000, interval: 0 }
const MINUTE_MS = 60_000
const REPLACED = 'A reorganisation replaced blocks. They are read again'
const BEHIND = 'A node has fewer blocks than were already read. The server waits for it'

describe('a reorganisation of a chain of the Bitcoin family', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let app: TestApp
  /** By so much the clock that only goes forward is ahead. */
  let passed = 0

  beforeAll(async () => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
    app = await startUtxoApp({ nodes: { LTC: proxy.url } })
  })
  afterEach(async () => {
    await expectInvariants(app)
    const unexpected = app.complaints.splice(0).filter(({ message }) => message !== REPLACED)
    expect(unexpected).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await litecoind.stop()
    vi.restoreAllMocks()
  })

  /** A payment in as many blocks, and a transaction that would spend the same coin otherwise. */
  async function aMinedPayment(blocks: number) {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    const coin = await litecoind.aCoin()
    const raw = await litecoind.sign(coin, [[addressOf(purchase), dueOf(purchase)]])
    const rival = await litecoind.sign(coin, [])
    await litecoind.mineOnly([raw])
    if (blocks > 1) await litecoind.mine(blocks - 1)
    const look = () => readAndLook(app, buyer, purchase)
    return { buyer, purchase, raw, rival, look }
  }

  it('takes a payment back whose coin is spent otherwise', async () => {
    const { purchase, rival, look } = await aMinedPayment(1)
    expect(await look()).toMatchObject({ status: 'processing', confirmations: 1 })
    await litecoind.drop(1)
    await litecoind.mineOnly([rival])
    await litecoind.mineOnly()
    const gone = await look()
    expect(gone).toMatchObject({ status: 'pending', status_reason: 'reorged', receipts: [] })
    expect(gone.payment_amount).toBe(purchase.payment_amount)
  })

  it('lets a payment wait again, and knows it in its new block', async () => {
    const { purchase, look } = await aMinedPayment(1)
    const seen = await look()
    expect(seen).toMatchObject({ status: 'processing', confirmations: 1 })
    await litecoind.drop(1)
    await litecoind.mineOnly([], 2)
    expect(await look()).toMatchObject({ status: 'processing', confirmations: 0 })
    await litecoind.mine(CONFIRMATIONS)
    const completed = await look()
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(completed.receipts.map(({ id }) => id)).toEqual(seen.receipts.map(({ id }) => id))
  })

  it.each([
    ['wait again', 0],
    ['be known in its new block', 1],
  ])(
    'lets a payment %s that is put back just after what waits was listed',
    async (_, confirmations) => {
      const { purchase, look } = await aMinedPayment(1)
      expect(await look()).toMatchObject({ status: 'processing', confirmations: 1 })
      let lists = 0
      proxy.intercept = async (method, _params, ask) => {
        if (method !== 'getrawmempool') return await ask()
        lists += 1
        if (lists > 1) {
          proxy.intercept = null
          await litecoind.mine(confirmations)
          return await ask()
        }
        const answer = await ask()
        await litecoind.drop(1)
        await litecoind.mineOnly()
        return answer
      }
      expect(await look()).toMatchObject({ status: 'processing', confirmations })
      await litecoind.mine(CONFIRMATIONS)
      expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
      const kinds = ['purchase_created', 'purchase_processing', 'purchase_completed']
      expect(await mailsOf(app, purchase)).toEqual(kinds)
    },
  )

  it('takes tokens back after completion, and credits what is paid again', async () => {
    const { buyer, purchase, rival, look } = await aMinedPayment(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed' })
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
    await litecoind.drop(CONFIRMATIONS)
    await litecoind.mineOnly([rival])
    await litecoind.mineOnly([], CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    expect(await balanceOf(app, buyer)).toBe(0)
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'completed' })
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
  })

  it.each([1, 2, CONFIRMATIONS, CONFIRMATIONS + 1, 12])(
    'that replaces %i blocks ends right, and so does its own undoing',
    async (depth) => {
      const { rival, look } = await aMinedPayment(CONFIRMATIONS)
      expect(await look()).toMatchObject({ status: 'completed' })
      const tip = await litecoind.rpc<string>('getbestblockhash')
      const height = await litecoind.height()
      const undone = await litecoind.rpc<string>('getblockhash', height - depth + 1)
      await litecoind.rpc('invalidateblock', undone)
      const isTaken = depth >= CONFIRMATIONS
      if (isTaken) await litecoind.mineOnly([rival])
      await litecoind.mineOnly([], depth)
      expect(await look()).toMatchObject({ status: isTaken ? 'pending' : 'completed' })
      // The former branch is longest again.
      const first = await litecoind.rpc<string>('getblockhash', height - depth + 1)
      await litecoind.rpc('reconsiderblock', undone)
      await litecoind.rpc('invalidateblock', first)
      expect(await litecoind.rpc('getbestblockhash')).toBe(tip)
      await litecoind.mineOnly([], depth + 2)
      expect(await look()).toMatchObject({ status: 'completed' })
    },
  )

  it('may be a hundred blocks deep', async () => {
    const { buyer, purchase, rival, look } = await aMinedPayment(100)
    await expect.poll(look, LONG).toMatchObject({ status: 'completed' })
    await litecoind.drop(100)
    await litecoind.mineOnly([rival])
    await litecoind.mine(101)
    await expect.poll(look, LONG).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    expect(await balanceOf(app, buyer)).toBe(0)
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS)
    await expect.poll(look, LONG).toMatchObject({ status: 'completed' })
  })

  it('may reach behind the block that reading began at', async () => {
    const late = await startUtxoApp({ nodes: { LTC: proxy.url } })
    const buyer = await aUser(late)
    const purchase = await aPurchase(late, buyer, { token: 'ltc' })
    const look = () => readAndLook(late, buyer, purchase)
    const coin = await litecoind.aCoin()
    await litecoind.mineOnly([await litecoind.sign(coin, [[addressOf(purchase), dueOf(purchase)]])])
    await litecoind.mineOnly([], CONFIRMATIONS)
    await expect.poll(look, LONG).toMatchObject({ status: 'completed' })
    await litecoind.drop(CONFIRMATIONS + 10)
    await litecoind.mineOnly([await litecoind.sign(coin, [])])
    await litecoind.mineOnly([], CONFIRMATIONS + 12)
    await expect.poll(look, LONG).toMatchObject({ status: 'pending' })
    expect(await balanceOf(late, buyer)).toBe(0)
    await expectInvariants(late)
    await late.close()
  })

  it('is believed of a shorter chain only when that has been shown for a minute', async () => {
    const { rival, look } = await aMinedPayment(CONFIRMATIONS + 4)
    expect(await look()).toMatchObject({ status: 'completed' })
    await litecoind.drop(CONFIRMATIONS + 4)
    await litecoind.mineOnly([rival])
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await look()).toMatchObject({ status: 'completed' })
    }
    passed += MINUTE_MS
    expect(await look()).toMatchObject({ status: 'pending', status_reason: 'reorged' })
  })

  it('waits for a node that has only fallen behind', async () => {
    const { look } = await aMinedPayment(CONFIRMATIONS + 4)
    expect(await look()).toMatchObject({ status: 'completed' })
    const height = await litecoind.height()
    const first = await litecoind.rpc<string>('getblockhash', height - CONFIRMATIONS - 3)
    await litecoind.rpc('invalidateblock', first)
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await look()).toMatchObject({ status: 'completed' })
    }
    expect(app.complaints.splice(0)).toMatchObject([{ message: BEHIND }])
    await litecoind.rpc('reconsiderblock', first)
    expect(await look()).toMatchObject({ status: 'completed' })
  })
})
