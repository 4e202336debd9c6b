import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  aCoin,
  addressOf,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import { type Intercept, type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const BEHIND = 'A node has fewer blocks than were already read. The server waits for it'

/** Longer than a node may go without answering, or without a new block. */
const LONG_MS = 121_000
const MINUTE_MS = 60_000

describe('the second node of an EVM chain', () => {
  let anvil: Anvil
  let first: RpcProxy
  let second: RpcProxy
  let app: TestApp
  /** By so much the clock that only goes forward is ahead. */
  let passed = 0

  beforeAll(async () => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    anvil = await startAnvil(1)
    await anvil.mine(20)
    first = await startRpcProxy(anvil.url)
    second = await startRpcProxy(anvil.url)
    app = await startEvmApp({ nodes: { 1: `${first.url} ${second.url}` }, tokens: [aCoin()] })
  })
  afterEach(async () => {
    first.intercept = null
    second.intercept = null
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await first.stop()
    await second.stop()
    await anvil.stop()
    vi.restoreAllMocks()
  })

  async function aPaidPurchase(blocks: number) {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(blocks)
    return () => readAndLook(app, buyer, purchase)
  }

  /** A node that has the chain up to a block, and then so many empty ones of its own. */
  function behindAt(height: number, own = 0): Intercept {
    const fakeHash = (number: number) =>
      `0x${'f'.repeat(56)}${hex(number).slice(2).padStart(8, '0')}`
    return async (method, params, ask) => {
      if (method === 'eth_getLogs') return { result: [] }
      if (method === 'eth_call') {
        const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [
          hex(height),
          false,
        ])
        return { result: await anvil.rpc(method, [params[0], { blockHash: hash }]) }
      }
      if (method !== 'eth_getBlockByNumber') return await ask()
      const number = params[0] === 'latest' ? height + own : Number(params[0])
      if (number > height + own) return { result: null }
      const real = Math.min(number, height)
      const block = await anvil.rpc<{ hash: string }>(method, [hex(real), params[1]])
      if (real === number) return { result: block }
      const parentHash = number === height + 1 ? block.hash : fakeHash(number - 1)
      const others = { number: hex(number), hash: fakeHash(number), parentHash, transactions: [] }
      return { result: { ...block, ...others } }
    }
  }

  it('is not kept to where it is behind the first', async () => {
    await watchChains(app.services)
    second.intercept = behindAt((await anvil.height()) - 10)
    const look = await aPaidPurchase(CONFIRMATIONS)
    first.intercept = async () => 503
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(app.complaints.splice(0)).toMatchObject([{ message: BEHIND }])
    first.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('is asked where the first one’s newest block has been the same for long', async () => {
    first.intercept = behindAt(await anvil.height())
    const look = await aPaidPurchase(CONFIRMATIONS)
    expect(await look()).toMatchObject({ status: 'pending' })
    passed += LONG_MS
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('opens no purchases while it is behind, and neither does the first', async () => {
    await anvil.mine(10)
    await watchChains(app.services)
    first.intercept = behindAt((await anvil.height()) - 5)
    second.intercept = behindAt((await anvil.height()) - 6)
    passed += LONG_MS
    await watchChains(app.services)
    const buyer = await aUser(app)
    const refused = await tryToBuy(app, buyer)
    expect(refused.refusal).toMatchObject({ reason: 'RailUnavailable' })
    const messages = app.complaints.splice(0).map(({ message }) => message)
    expect(messages.filter((message) => message === BEHIND)).toHaveLength(2)
    first.intercept = null
    await watchChains(app.services)
    expect(await tryToBuy(app, buyer)).toMatchObject({ status: 201 })
  })

  it('takes nothing back by a lower branch while the first has what was read', async () => {
    const before = await anvil.height()
    const look = await aPaidPurchase(CONFIRMATIONS + 4)
    expect(await look()).toMatchObject({ status: 'completed' })
    second.intercept = behindAt(before, 2)
    for (let time = 0; time < 3; time += 1) {
      first.intercept = async () => 503
      expect(await look()).toMatchObject({ status: 'completed' })
      first.intercept = null
      expect(await look()).toMatchObject({ status: 'completed' })
    }
  })

  it('is believed of a lower branch after a minute in which no other answers', async () => {
    const before = await anvil.height()
    const look = await aPaidPurchase(CONFIRMATIONS + 4)
    expect(await look()).toMatchObject({ status: 'completed' })
    second.intercept = behindAt(before, 2)
    first.intercept = async () => 503
    expect(await look()).toMatchObject({ status: 'completed' })
    expect(await look()).toMatchObject({ status: 'completed' })
    passed += MINUTE_MS
    expect(await look()).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    expect(app.complaints.splice(0)).toMatchObject([
      { message: 'A reorganisation replaced blocks. They are read again' },
    ])
  })
})

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
