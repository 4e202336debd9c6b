import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  aPurchase,
  balanceOf,
  expectInvariants,
  refundsOf,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listForeign } from '#tests/kit/builders/an-operator.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  accountKey,
  aCoin,
  addressOf,
  aToken,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import type { TestDatabase } from '#tests/kit/servers/database.ts'
import { type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

type Logs = { result: { blockHash: string; data: string }[] }
type Block = { result: { parentHash: string } | null }

describe('a node of an EVM chain', () => {
  let anvil: Anvil
  let bsc: Anvil
  let proxy: RpcProxy
  let app: TestApp
  let usdt: string
  let payer: string
  const xpub = accountKey('nodes that fail')

  beforeAll(async () => {
    anvil = await startAnvil(1)
    bsc = await startAnvil(56)
    usdt = await anvil.deployToken()
    payer = await anvil.deployPayer()
    proxy = await startRpcProxy(anvil.url)
    app = await startOne()
  })
  afterEach(async () => {
    proxy.intercept = null
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await anvil.stop()
    await bsc.stop()
  })

  /** A server on this chain and another. */
  const startOne = (open?: TestDatabase) =>
    startEvmApp({
      nodes: { 1: proxy.url, 56: bsc.url },
      tokens: [
        aCoin(),
        aToken(usdt),
        aCoin({ id: 'bnb', symbol: 'BNB', name: 'BNB', chain: 'BSC', chainId: 56 }),
      ],
      environment: { EVM_XPUB: xpub },
      ...(open && { open }),
    })

  /** What was complained of, with its reason. */
  const complaints = () =>
    app.complaints.splice(0).map(({ facts, message }) => {
      const { error } = facts
      return error instanceof Error ? error.message : message
    })

  async function aPaidPurchase(token = 'eth') {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token })
    await (token === 'eth'
      ? anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
      : anvil.transferToken(usdt, addressOf(purchase), dueOf(purchase)))
    await anvil.mine(CONFIRMATIONS + 3)
    return { buyer, purchase, look: () => readAndLook(app, buyer, purchase) }
  }

  it('that is down loses nothing, expires nothing, and hides no other chain', async () => {
    const { purchase, look } = await aPaidPurchase()
    proxy.intercept = async () => 503
    const other = await aUser(app)
    const onBsc = await aPurchase(app, other, { token: 'bnb' })
    await bsc.send({ to: addressOf(onBsc), value: dueOf(onBsc) })
    await bsc.mine(CONFIRMATIONS)
    expect(await readAndLook(app, other, onBsc)).toMatchObject({ status: 'completed' })
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(new Set(complaints())).toEqual(
      new Set([expect.stringContaining('answers eth_chainId with status 503')]),
    )
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it('that leaves transfers out credits nothing, and loses nothing', async () => {
    const { look } = await aPaidPurchase('usdt')
    proxy.intercept = async (method, _, ask) =>
      method === 'eth_getLogs' ? { result: [] } : await ask()
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining('leaves out transfers')])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('that reports a transfer in a block that does not exist credits nothing', async () => {
    const { purchase, look } = await aPaidPurchase('usdt')
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      if (method !== 'eth_getLogs') return answer
      const { result } = answer as Logs
      return { result: result.map((log) => ({ ...log, blockHash: `0x${'1'.repeat(64)}` })) }
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining('contradicts itself')])
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      if (method !== 'eth_getLogs') return answer
      const { result } = answer as Logs
      const tenfold = `0x${(dueOf(purchase) * 10n).toString(16).padStart(64, '0')}`
      return { result: result.map((log) => ({ ...log, data: tenfold })) }
    }
    expect(await look()).toMatchObject({ status: 'pending', receipts: [] })
    expect(complaints()).toEqual([expect.stringContaining('contradicts itself')])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
  })

  it.each([
    ['lacks a block', async () => ({ result: null }), 'has no block'],
    [
      'tells of blocks that do not follow from one another',
      async (block: Block) => ({
        result: { ...block.result, parentHash: `0x${'2'.repeat(64)}` },
      }),
      'does not follow',
    ],
    ['answers garbage', async () => ({ result: { number: 'ten' } }), 'with something else'],
  ])('that %s credits nothing, and loses nothing', async (_, lie, reason) => {
    const { look } = await aPaidPurchase()
    const middle = `0x${((await anvil.height()) - 4).toString(16)}`
    proxy.intercept = async (method, params, ask) =>
      method === 'eth_getBlockByNumber' && params[0] === middle
        ? await lie((await ask()) as Block)
        : await ask()
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(complaints()).toEqual([expect.stringContaining(reason)])
    proxy.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('that goes back fifty blocks takes nothing away', async () => {
    await anvil.mine(60)
    const { look } = await aPaidPurchase()
    expect(await look()).toMatchObject({ status: 'completed' })
    const stale = `0x${((await anvil.height()) - 50).toString(16)}`
    proxy.intercept = async (method, params, ask) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { result: await anvil.rpc(method, [stale, false]) }
        : await ask()
    expect(await look()).toMatchObject({ status: 'completed' })
    expect(await look()).toMatchObject({ status: 'completed' })
    expect(complaints()).toEqual([expect.stringContaining('fewer blocks')])
  })

  it('that suddenly is of another chain is not believed', async () => {
    const { look } = await aPaidPurchase()
    proxy.intercept = async (method, _, ask) =>
      method === 'eth_chainId' ? { result: '0x89' } : await ask()
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(complaints()).toEqual([expect.stringMatching(/is of chain 137, not 1$/)])
  })

  it('that throttles and refuses large ranges is asked for less, until it gives all', async () => {
    await anvil.mine(200)
    const { look } = await aPaidPurchase('usdt')
    let calls = 0
    proxy.intercept = async (method, params, ask) => {
      calls += 1
      if (calls % 40 === 0) return 429
      if (method !== 'eth_getLogs') return await ask()
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const isLarge = Number(toBlock) - Number(fromBlock) >= 10
      return isLarge ? { error: { code: -32005, message: 'range is too large' } } : await ask()
    }
    let readings = 0
    let purchase = await look()
    while (purchase.status !== 'completed' && readings < 100) {
      purchase = await look()
      readings += 1
    }
    expect(purchase).toMatchObject({ status: 'completed' })
    expect(complaints().length).toBeGreaterThan(0)
  })

  it('that gives few logs at once is not stopped by a flood of worthless ones', async () => {
    const stranger = await anvil.deployToken()
    const flooded = await aPurchase(app, await aUser(app))
    for (let block = 0; block < 2; block += 1) {
      for (let log = 0; log < 5; log += 1) {
        await anvil.transferToken(stranger, addressOf(flooded), 1n)
      }
      await anvil.mine()
    }
    for (let log = 0; log < 5; log += 1) {
      await anvil.transferToken(stranger, addressOf(flooded), 1n)
    }
    const { purchase, look } = await aPaidPurchase('usdt')
    proxy.intercept = async (method, _, ask) => {
      const answer = await ask()
      const isMuch = method === 'eth_getLogs' && (answer as Logs).result.length > 4
      return isMuch ? { error: { code: -32005, message: 'more than 4 results' } } : answer
    }
    let readings = 0
    while ((await look()).status !== 'completed' && readings < 50) readings += 1
    expect(await look()).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    const messages = app.complaints.splice(0).map(({ message }) => message)
    expect(messages.filter((each) => each.includes('too many transfers of tokens'))).toHaveLength(1)
  })

  it('that throttles a single block is asked again for every token in it', async () => {
    const stranger = await anvil.deployToken()
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    await anvil.transferToken(stranger, addressOf(purchase), 7n)
    await anvil.mine()
    proxy.intercept = async (method, params, ask) =>
      method === 'eth_getLogs' && !JSON.stringify(params).includes('"address"')
        ? { error: { code: -32000, message: 'Too Many Requests' } }
        : await ask()
    await readAndLook(app, buyer, purchase)
    expect(complaints()).toEqual([expect.stringContaining('Too Many Requests')])
    proxy.intercept = null
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    expect(data).toMatchObject([{ amount: '7', is_held: true }])
  })

  it('that lacks old states still has what contracts sent meanwhile', async () => {
    const early = await aPaidPurchase()
    expect(await early.look()).toMatchObject({ status: 'completed' })
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    await anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
    await anvil.mine(100)
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
    // A server that starts later, which remembers nothing by itself.
    const later = await startOne(app.open)
    proxy.intercept = async (method, params, ask) => {
      const [, at] = params as [unknown, { blockHash?: string }]
      const isOld = method === 'eth_call' && at.blockHash !== hash
      return isOld ? { error: { code: -32000, message: 'missing trie node' } } : await ask()
    }
    const seen = await readAndLook(later, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', confirmations: 1 })
    expect(later.complaints.splice(0)).toMatchObject([
      { message: expect.stringContaining('no longer has the balances') as string },
      { message: expect.stringContaining('no longer has the balances') as string },
    ])
    proxy.intercept = null
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(later, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(completed.receipts).toHaveLength(1)
    expect(await balanceOf(app, early.buyer)).toBe(early.purchase.tokens.total)
    await later.close()
  })

  it('of a wrong network records what came there, and credits none of it', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await bsc.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await bsc.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({
      status: 'pending',
      status_reason: 'wrong_asset',
      payment_amount: purchase.payment_amount,
    })
    expect(await refundsOf(app, purchase)).toEqual([
      { amount: dueOf(purchase), why: 'wrong_asset' },
    ])
    expect(await tryToBuy(app, buyer)).toMatchObject({ status: 201 })
  })
})
