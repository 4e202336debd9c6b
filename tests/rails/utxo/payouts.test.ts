import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { Payout, Payouts } from '#server/ports/payouts.ts'
import { readAddress } from '#server/use-cases/refunds/read-address.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, mainnet, regtest, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { nothingElse, payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { aUtxoCoin, playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

const CHAIN = 'litecoin'
const ltc = aUtxoCoin('LTC')

type Spent = { txid: string; vout: number }

describe('payouts in a coin of the Bitcoin family', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let app: TestApp
  let payouts: Payouts

  beforeAll(async () => {
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
    app = await startUtxoApp({ nodes: { LTC: proxy.url } })
    payouts = payoutsOf(app, 'utxo')
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await litecoind.stop()
  })

  /** To a fresh address of the node's wallet, of a kind that the wallet makes. */
  async function aPayout(amount: bigint, kind = 'bech32'): Promise<Payout> {
    const own = await litecoind.rpc<string>('getnewaddress', '', kind)
    return {
      id: randomUUID(),
      address: mainnet(own),
      paymentToken: ltc,
      amount: cryptoAmount(amount),
    }
  }

  async function aBatch(...batched: Payout[]) {
    const sinceHeight = BigInt(await litecoind.height())
    const find = async (search: Partial<Parameters<Payouts['find']>[2]> = {}) =>
      (await payouts.find(CHAIN, batched, { ...nothingElse, sinceHeight, ...search })).found
    return { batch: { id: 1n, chain: CHAIN, createdAt: new Date(), payouts: batched }, find }
  }

  it('are found waiting, mined, and at depth, each by its own output', async () => {
    const kinds = ['bech32', 'p2sh-segwit', 'legacy']
    const all = await Promise.all(
      kinds.map((kind, nth) => aPayout(29_000_000n + BigInt(nth), kind)),
    )
    const { batch, find } = await aBatch(...all)
    const { text } = await payouts.makeFile(batch, 'sendmany')
    const amounts: Record<string, string> = JSON.parse(text)
    const hash = await litecoind.rpc<string>(
      'sendmany',
      '',
      Object.fromEntries(
        Object.entries(amounts).map(([address, amount]) => [regtest(address), amount]),
      ),
    )
    const waiting = await find()
    expect(waiting.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(waiting).toMatchObject(
      all.map(() => ({
        transactionHash: hash,
        confirmations: 0,
        requiredConfirmations: CONFIRMATIONS,
      })),
    )
    expect(new Set(waiting.map(({ index }) => index)).size).toBe(all.length)
    await litecoind.mine()
    expect(await find()).toMatchObject(all.map(() => ({ confirmations: 1 })))
    await litecoind.mine(CONFIRMATIONS - 1)
    expect(await find()).toMatchObject(all.map(() => ({ confirmations: CONFIRMATIONS })))
    expect(await find({ isTaken: () => true })).toEqual([])
    // What was there long before the batch is none of it: no reorganisation has put it there.
    await litecoind.mine(24)
    const { find: later } = await aBatch(...all)
    expect(await later({ hashes: [hash] })).toEqual([])
  })

  it('are not found in a transaction that was replaced, but in the one that replaced it', async () => {
    const payout = await aPayout(50_000_000n)
    const { find } = await aBatch(payout)
    const coin = await litecoind.aCoin()
    const pay = async (fee: bigint) =>
      await litecoind.send(await litecoind.sign(coin, [[payout.address, payout.amount]], fee))
    const first = await pay(20_000n)
    expect(await find()).toMatchObject([{ transactionHash: first }])
    const second = await pay(90_000n)
    expect(await find({ hashes: [first] })).toMatchObject([{ transactionHash: second }])
    await litecoind.mine()
    expect(await find({ hashes: [first] })).toMatchObject([
      { transactionHash: second, confirmations: 1 },
    ])
  })

  it('are found in what replaced the transaction that was named, which spends its coins', async () => {
    const payout = await aPayout(51_000_000n)
    const sinceHeight = await litecoind.height()
    const { find } = await aBatch(payout)
    const coin = await litecoind.aCoin()
    const pay = async (fee: bigint) =>
      await litecoind.send(await litecoind.sign(coin, [[payout.address, payout.amount]], fee))
    const first = await pay(20_000n)
    const own = { batchId: 99n, named: [first] }
    const spends = (await litecoind.rpc<{ vin: Spent[] }>('getrawtransaction', first, true)).vin
    const sight = {
      hash: first,
      spends: spends.map(({ txid, vout }) => `${txid}:${vout}`),
      state: 'waiting' as const,
      replacedBy: null,
    }
    const search = { hashes: [first], followed: [first], own, sights: new Map([[first, sight]]) }
    expect(await find(search)).toMatchObject([{ transactionHash: first }])
    const second = await pay(90_000n)
    // Somebody else's transfer of the same amount still does not pass for it.
    await litecoind.pay([payout.address, payout.amount])
    expect(await find(search)).toMatchObject([{ transactionHash: second }])
    await litecoind.mine()
    const heights: unknown[] = []
    proxy.intercept = async (method, params, ask) => {
      if (method === 'getblockhash') heights.push(params[0])
      return await ask()
    }
    expect(await find(search)).toMatchObject([{ transactionHash: second, confirmations: 1 }])
    proxy.intercept = null
    expect(heights, 'what replaced it is known, so it is not looked for lower').not.toContain(
      sinceHeight,
    )
  })

  it('are found in what replaced the named transaction by a process that has not seen it', async () => {
    const payout = await aPayout(52_000_000n)
    const coin = await litecoind.aCoin()
    const pay = async (to: string, fee: bigint) =>
      await litecoind.send(await litecoind.sign(coin, [[to, payout.amount]], fee))
    const sinceHeight = BigInt(await litecoind.height())
    const first = await pay(payout.address, 20_000n)
    const own = { batchId: 99n, named: [first] }
    const search = { ...nothingElse, sinceHeight, hashes: [first], followed: [first], own }
    const { sights } = await payouts.find(CHAIN, [payout], search)
    expect(sights).toMatchObject([{ hash: first, state: 'waiting', replacedBy: null }])
    const second = await pay(payout.address, 90_000n)
    const again = await startUtxoApp({ nodes: { LTC: proxy.url } })
    const look = async () =>
      await again.services.rails.get('utxo')?.payouts?.find(CHAIN, [payout], {
        ...search,
        sights: new Map(sights.map((sight) => [sight.hash, sight])),
      })
    expect(await look()).toMatchObject({
      found: [{ transactionHash: second, confirmations: 0 }],
      sights: [{ hash: first, state: 'replaced', replacedBy: second }],
    })
    // Where the coins go elsewhere, nothing pays, and the first one never will.
    await pay((await aPayout(1n)).address, 300_000n)
    expect(await look()).toMatchObject({
      found: [],
      sights: [{ hash: first, state: 'replaced', replacedBy: null }],
    })
    await litecoind.mine()
    await again.close()
  })

  it('are gone with a block that a reorganisation takes back', async () => {
    const payout = await aPayout(60_000_000n)
    const { find } = await aBatch(payout)
    const raw = await litecoind.sign(await litecoind.aCoin(), [[payout.address, payout.amount]])
    await litecoind.mineOnly([raw])
    await litecoind.mine()
    expect(await find()).toMatchObject([{ confirmations: 2 }])
    await litecoind.drop(2)
    expect(await find()).toMatchObject([{ confirmations: 0 }])
    await litecoind.mine(3)
    expect(await find()).toMatchObject([{ confirmations: 3 }])
  })

  it('in a named transaction are found below the batch too, where a reorganisation has put it', async () => {
    const payout = await aPayout(60_500_000n)
    const raw = await litecoind.sign(await litecoind.aCoin(), [[payout.address, payout.amount]])
    await litecoind.mineOnly([], 2)
    const { find } = await aBatch(payout)
    await litecoind.mineOnly([raw])
    const [paid] = await find()
    expect(paid).toMatchObject({ confirmations: 1 })
    await litecoind.drop(3)
    await litecoind.mineOnly([raw])
    await litecoind.mineOnly([], 3)
    expect(await find()).toEqual([])
    const hashes = [paid?.transactionHash ?? '']
    expect(await find({ hashes })).toMatchObject([{ id: payout.id, confirmations: 4 }])
  })

  it('that were paid are known to be gone, but not if they are spent or in another block', async () => {
    const payout = await aPayout(61_000_000n)
    const coin = await litecoind.aCoin()
    const raw = await litecoind.sign(coin, [[payout.address, payout.amount]])
    const transactionHash = await litecoind.send(raw)
    await litecoind.mine()
    const height = BigInt(await litecoind.height())
    const paid = { id: payout.id, address: payout.address, transactionHash, index: 0, height }
    const findGone = async () =>
      await payouts.findGone(CHAIN, [paid], BigInt(await litecoind.height()))
    // Its owner has spent it, so that only its block shows it.
    const { amount } = payout
    const own = { txid: transactionHash, vout: 0, amount: Number(amount) / 1e8 }
    const spending = await litecoind.sign(own, [[payout.address, amount - 40_000n]])
    await litecoind.mineOnly([spending])
    await litecoind.mine(2)
    expect(await findGone()).toEqual([])
    // Dogecoin Core looks for a transaction in no block that it is given.
    proxy.intercept = async (method, params, ask) =>
      method === 'getrawtransaction' && params.length > 2
        ? { error: { code: -1, message: 'getrawtransaction "txid" ( verbose )' }, status: 500 }
        : await ask()
    expect(await findGone()).toEqual([])
    proxy.intercept = null
    await litecoind.drop(4)
    await litecoind.mineOnly([], 2)
    await litecoind.mineOnly([raw])
    await litecoind.mineOnly([spending], 1)
    expect(await findGone()).toEqual([])
    await litecoind.drop(2)
    const elsewhere = await litecoind.sign(coin, [[(await aPayout(1n)).address, amount]], 200_000n)
    await litecoind.mineOnly([elsewhere])
    await litecoind.mine(3)
    expect(await findGone()).toEqual([payout.id])
    // A node that has thrown the block away cannot say so.
    const pruned = {
      error: { code: -1, message: 'Block not available (pruned data)' },
      status: 500,
    }
    proxy.intercept = async (method, _, ask) => (method === 'getblock' ? pruned : await ask())
    await expect(findGone()).rejects.toThrow(/pruned/)
    proxy.intercept = null
  })

  it('of another amount, or to another address, are not taken for them', async () => {
    const [payout, other] = [await aPayout(70_000_000n), await aPayout(70_000_000n)]
    const { find } = await aBatch(payout)
    await litecoind.pay([payout.address, 69_999_999n], [other.address, payout.amount])
    expect(await find()).toEqual([])
  })

  it('are no stranger’s transfers of the same amount where the sale’s own transaction is named', async () => {
    const payout = await aPayout(80_000_000n)
    const { find } = await aBatch(payout)
    const pay = async () =>
      await litecoind.rpc<string>('sendtoaddress', regtest(payout.address), 0.8)
    const strangers = await pay()
    await litecoind.mine()
    // Without a name anybody's passes for it: the sale knows nothing of the wallet that pays.
    expect(await find({ own: { batchId: 99n, named: [] } })).toMatchObject([
      { transactionHash: strangers },
    ])
    const named = 'ab'.repeat(32)
    expect(await find({ own: { batchId: 99n, named: [named] } })).toEqual([])
    // What it was found as before it keeps, until the named one pays it.
    const index = (await find())[0]?.index ?? 0
    const known = new Map([[payout.id, { transactionHash: strangers, index }]])
    expect(await find({ own: { batchId: 99n, named: [named] }, known })).toMatchObject([
      { transactionHash: strangers },
    ])
    const ours = await pay()
    const own = { batchId: 99n, named: [named, ours] }
    expect(await find({ own, known })).toMatchObject([{ transactionHash: ours }])
  })

  it('of any number of batches read what waits for a block once', async () => {
    await litecoind.pay([mainnet(await litecoind.rpc('getnewaddress')), 1_000_000n])
    const batches = []
    for (let amount = 31_000_000n; amount < 31_000_010n; amount += 1n) {
      batches.push(await aBatch(await aPayout(amount)))
    }
    for (const { find } of batches) expect(await find()).toEqual([])
    proxy.calls.clear()
    for (const { find } of batches) expect(await find()).toEqual([])
    expect(proxy.calls.get('getrawmempool')).toBe(batches.length)
    expect(proxy.calls.get('getrawtransaction')).toBeUndefined()
    await litecoind.mine()
  })

  it('are not looked for at a node that is behind what was read for payments', async () => {
    const { find } = await aBatch(await aPayout(33_000_000n))
    const readHeight = BigInt(await litecoind.height())
    expect(await find({ readHeight })).toEqual([])
    await expect(find({ readHeight: readHeight + 1n })).rejects.toThrow('has fewer blocks')
  })

  it('go to no address of the sale', async () => {
    const purchase = await aPurchase(app, await aUser(app), { token: 'ltc' })
    const own = addressOf(purchase)
    for (const address of [own, own.toUpperCase()]) {
      const wanted = { paymentTokenId: ltc.id, chain: CHAIN, address }
      await expect(readAddress(app.services, wanted)).rejects.toMatchObject({
        details: { errors: [{ message: expect.stringContaining('this sale'), code: 'own' }] },
      })
    }
    const { address } = await aPayout(1n)
    expect(await payouts.readAddress(ltc, address)).toEqual({ address })
  })

  it('cost what the node asks for an output and its share of inputs', async () => {
    const { relayfee } = await litecoind.rpc<{ relayfee: number }>('getnetworkinfo')
    const least = BigInt(Math.round(relayfee * 1e8 * 0.111))
    const fee = (await payouts.networkFee(ltc)) ?? 0n
    expect(fee).toBeGreaterThanOrEqual(least)
    expect(fee).toBeLessThan(1_000_000n)
  })
})
