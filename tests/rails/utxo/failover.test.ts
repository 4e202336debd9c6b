import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, passExpiry } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { coinNamed, playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

const BEHIND = 'A node has fewer blocks than were already read. The server waits for it'

describe('the second node of a chain of the Bitcoin family', () => {
  let litecoind: Litecoind
  let other: Litecoind
  let first: RpcProxy
  let second: RpcProxy
  let app: TestApp

  beforeAll(async () => {
    litecoind = await startLitecoind()
    other = await startLitecoind()
    await litecoind.mine()
    await passOn()
    first = await playMainnet('LTC', litecoind.url)
    second = await playMainnet('LTC', other.url)
    app = await startUtxoApp({
      nodes: { LTC: `${first.url} ${second.url}` },
      expireAfterMs: 300_000,
    })
  })
  afterEach(async () => {
    first.intercept = null
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await first.stop()
    await second.stop()
    await litecoind.stop()
    await other.stop()
  })

  /** Gives the other node all blocks. */
  async function passOn(): Promise<void> {
    const height = await litecoind.height()
    for (let each = 1; each <= height; each += 1) {
      const hash = await litecoind.rpc<string>('getblockhash', each)
      await other.rpc('submitblock', await litecoind.rpc('getblock', hash, 0))
    }
    expect(await other.rpc('getbestblockhash')).toBe(await litecoind.rpc('getbestblockhash'))
  }

  async function aPaidPurchase(blocks: number) {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(blocks)
    return () => readAndLook(app, buyer, purchase)
  }

  it('is not kept to where it is behind the first', async () => {
    await litecoind.mine(2)
    await watchChains(app.services)
    const look = await aPaidPurchase(CONFIRMATIONS)
    first.intercept = async () => 503
    expect(await look()).toMatchObject({ status: 'pending' })
    expect(app.complaints.splice(0)).toMatchObject([{ message: BEHIND }])
    first.intercept = null
    expect(await look()).toMatchObject({ status: 'completed' })
  })

  it('takes nothing back by a lower branch while the first has what was read', async () => {
    await passOn()
    const look = await aPaidPurchase(CONFIRMATIONS + 4)
    expect(await look()).toMatchObject({ status: 'completed' })
    await other.mineOnly([], 2)
    for (let time = 0; time < 3; time += 1) {
      first.intercept = async () => 503
      expect(await look()).toMatchObject({ status: 'completed' })
      first.intercept = null
      expect(await look()).toMatchObject({ status: 'completed' })
    }
  })

  it('is asked where the first one is cut off from its network', async () => {
    await passOn()
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    const old = Math.floor(Date.now() / 1000) - coinNamed('LTC').silentMaxMs / 1000
    first.intercept = async (method, _, ask) => {
      const answer = await ask()
      if (method !== 'getblockheader') return answer
      return { result: { ...(answer as { result: object }).result, time: old } }
    }
    await passExpiry(app)
    // The time that a payment may take to reach the node.
    await app.passTime(60_000)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'expired' })
  })
})
