import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, addressOf, dueOf, readAndLook, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

/** A wording that no known node uses. */
const REFUSAL = 'the past is a foreign country'
/** Longer than a chain may go unread before nothing can be bought by it. */
const LONG_MS = 121_000
/** Longer than chains that never rest are without a block. */
const SILENT_MS = 601_000
/** The same by the time of their newest block, however far apart clocks are. */
const OLD_MS = 2 * SILENT_MS

describe('a chain without new blocks', () => {
  let ethereum: Anvil
  let bsc: Anvil
  let other: Anvil
  let first: RpcProxy
  let second: RpcProxy
  let app: TestApp
  /** By so much the clock that only goes forward is ahead. */
  let passed = 0

  beforeAll(async () => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    ethereum = await startAnvil(1)
    bsc = await startAnvil(56)
    other = await startAnvil(31_337)
    first = await startRpcProxy(ethereum.url)
    second = await startRpcProxy(ethereum.url)
    app = await startEvmApp({
      nodes: { 1: `${first.url} ${second.url}`, 56: bsc.url, 31_337: other.url },
      tokens: [
        aCoin(),
        aCoin({ id: 'bnb', symbol: 'BNB', chain: 'BSC', chainId: 56 }),
        aCoin({ id: 'own', symbol: 'OWN', chain: 'OWN', chainId: 31_337 }),
      ],
    })
  })
  afterEach(() => {
    first.intercept = null
    second.intercept = null
    app.complaints.length = 0
  })
  afterAll(async () => {
    await app.close()
    for (const each of [first, second, ethereum, bsc, other]) await each.stop()
    vi.restoreAllMocks()
  })

  const refuse: RpcProxy['intercept'] = async (method, _, ask) =>
    method === 'eth_call' ? { error: { code: -32_000, message: REFUSAL } } : await ask()

  async function chains({ client } = app) {
    const { body } = await client.call(operatorContract.getSaleState, {}, operator)
    return new Map(body.chains.map((chain) => [chain.name, chain]))
  }
  const metrics = async () => {
    app.clock.pass(1_001)
    return (await app.app.inject('/metrics')).body
  }
  const isAvailable = async (id: string) =>
    (await app.client.call(saleContract.getTokenMinimum, { params: { id } })).body.is_available

  it('is read by another node where the first refuses in words that nobody knows', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    await ethereum.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await ethereum.mine()
    first.intercept = refuse
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    expect((await chains()).get('eip155:1')).toMatchObject({ fault: null })
    expect(app.complaints).toEqual([])
  })

  it('shows to the operator with the reason where all refuse so, and is sold for no more', async () => {
    const buyer = await aUser(app)
    await aPurchase(app, buyer)
    await watchChains(app.services)
    expect(await isAvailable('eth')).toBe(true)
    expect(await metrics()).toContain('sale_chain_faulty{chain="eip155:1"} 0')
    first.intercept = refuse
    second.intercept = refuse
    await ethereum.mine()
    await watchChains(app.services)
    expect((await chains()).get('eip155:1')).toMatchObject({
      fault: expect.stringContaining(REFUSAL) as string,
      payment_tokens: [{ id: 'eth', fault: null }],
    })
    expect(await metrics()).toContain('sale_chain_faulty{chain="eip155:1"} 1')

    passed += LONG_MS
    await watchChains(app.services)
    const health = await chains()
    expect(health.get('eip155:1')).toMatchObject({
      read_seconds_ago: expect.toSatisfy((seconds: number) => seconds >= 121) as number,
      payment_tokens: [{ id: 'eth', fault: expect.stringContaining(REFUSAL) as string }],
    })
    expect(health.get('eip155:56')).toMatchObject({
      fault: null,
      payment_tokens: [{ id: 'bnb', fault: null }],
    })
    expect(await isAvailable('eth')).toBe(false)
    expect(await isAvailable('bnb')).toBe(true)
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('RailUnavailable')
    expect((await tryToBuy(app, buyer, { token: 'bnb' })).status).toBe(201)
    expect(await metrics()).toContain('sale_payment_token_unavailable{payment_token="eth"} 1')
    expect(app.complaints).toContainEqual({
      facts: {
        chain: 'eip155:1',
        unavailable: ['ETH'],
        why: expect.stringContaining(REFUSAL) as string,
      },
      message: 'A chain is not being read. Nothing can be bought with its tokens',
    })

    first.intercept = null
    await watchChains(app.services)
    expect((await chains()).get('eip155:1')).toMatchObject({
      fault: null,
      payment_tokens: [{ id: 'eth', fault: null }],
    })
    expect(await isAvailable('eth')).toBe(true)
  })

  it('is sold for no more while it has yet to be read to its end', async () => {
    await watchChains(app.services)
    await ethereum.mine(200)
    const far = `0x${(await ethereum.height()).toString(16)}`
    const cutShort: RpcProxy['intercept'] = async (method, [block, isFull], ask) =>
      method === 'eth_getBlockByNumber' && block === far && isFull === true ? 503 : await ask()
    first.intercept = cutShort
    second.intercept = cutShort
    passed += LONG_MS
    await watchChains(app.services)
    const fault = expect.stringContaining('has not been reached yet') as string
    expect((await chains()).get('eip155:1')).toMatchObject({ fault })
    expect(await isAvailable('eth')).toBe(false)
    first.intercept = null
    second.intercept = null
    await watchChains(app.services)
    expect(await isAvailable('eth')).toBe(true)
  })

  it('counts as cut off where it never rests, is sold for no more, and is in the inbox', async () => {
    await watchChains(app.services)
    // Each node of it is asked about the block that stays the newest.
    for (const waitedMs of [0, LONG_MS, LONG_MS, SILENT_MS]) {
      expect((await chains()).get('eip155:1')).toMatchObject({ fault: null })
      passed += waitedMs
      await bsc.mine()
      await watchChains(app.services)
    }
    const fault = expect.stringContaining('taken to be cut off') as string
    expect((await chains()).get('eip155:1')).toMatchObject({
      fault,
      payment_tokens: [{ id: 'eth', fault }],
    })
    expect(await isAvailable('eth')).toBe(false)
    const query = { kind: 'chain' as const }
    const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
    expect(body.data).toMatchObject([{ id: 'eip155:1', detail: fault }])
    for (const [chain, id] of [
      ['eip155:56', 'bnb'],
      ['eip155:31337', 'own'],
    ] as const) {
      expect((await chains()).get(chain)).toMatchObject({ fault: null })
      expect(await isAvailable(id)).toBe(true)
    }
    await ethereum.mine()
    await watchChains(app.services)
    expect((await chains()).get('eip155:1')).toMatchObject({ fault: null })
    expect(await isAvailable('eth')).toBe(true)
  })

  it('counts as cut off by the time of its newest block where the server has only started', async () => {
    await ethereum.mine()
    const late = await startEvmApp({
      nodes: { 1: ethereum.url, 31_337: other.url },
      tokens: [aCoin(), aCoin({ id: 'own', symbol: 'OWN', chain: 'OWN', chainId: 31_337 })],
    })
    await watchChains(late.services)
    expect((await chains(late)).get('eip155:1')).toMatchObject({ fault: null })
    late.clock.pass(OLD_MS)
    await watchChains(late.services)
    const fault = expect.stringContaining('taken to be cut off') as string
    expect((await chains(late)).get('eip155:1')).toMatchObject({ fault })
    expect((await chains(late)).get('eip155:31337')).toMatchObject({ fault: null })
    await late.close()
  })

  it('is no fault of the chain where only a price is not known', async () => {
    await watchChains(app.services)
    expect((await chains()).get('eip155:56')?.payment_tokens).toEqual([{ id: 'bnb', fault: null }])
    await app.passTime(LONG_MS)
    expect((await chains()).get('eip155:56')).toMatchObject({
      fault: null,
      payment_tokens: [{ id: 'bnb', fault: expect.stringContaining('price of BNB') as string }],
    })
    expect(await isAvailable('bnb')).toBe(false)
  })
})
