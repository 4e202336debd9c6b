import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

describe('the first look at a chain, for which a node looks through all coins', () => {
  let litecoind: Litecoind
  let litecoin: RpcProxy
  let dogecoin: RpcProxy
  let app: TestApp

  beforeAll(async () => {
    litecoind = await startLitecoind()
    litecoin = await playMainnet('LTC', litecoind.url)
    dogecoin = await playMainnet('DOGE', litecoind.url)
  })
  afterEach(async () => {
    await app.close()
    litecoin.intercept = null
  })
  afterAll(async () => {
    for (const each of [litecoin, dogecoin, litecoind]) await each.stop()
  })

  const startUnread = async () => {
    app = await startUtxoApp({
      nodes: { LTC: litecoin.url, DOGE: dogecoin.url },
      isUnread: true,
    })
  }
  async function faultOf(name: string) {
    const { body } = await app.client.call(operatorContract.getSaleState, {}, operator)
    return body.chains.find((chain) => chain.name === name)?.fault
  }
  const isAvailable = async (id: string) =>
    (await app.client.call(saleContract.getTokenMinimum, { params: { id } })).body.is_available

  it('keeps no other chain waiting, and reports its progress to the operator', async () => {
    const gate = Promise.withResolvers<null>()
    litecoin.intercept = async (method, [action], ask) => {
      if (method !== 'scantxoutset') return await ask()
      if (action === 'status') return { result: { progress: 42 } }
      await gate.promise
      return await ask()
    }
    await startUnread()
    await watchChains(app.services)
    await watchChains(app.services)
    expect(await faultOf('litecoin')).toContain('is searching all unspent coins once (42 % done)')
    expect(await faultOf('dogecoin')).toBe(null)
    const buyer = await aUser(app)
    expect((await tryToBuy(app, buyer, { token: 'doge' })).status).toBe(201)
    expect((await tryToBuy(app, buyer, { token: 'ltc' })).refusal.reason).toBe('RailUnavailable')
    expect([await isAvailable('doge'), await isAvailable('ltc')]).toEqual([true, false])
    expect(app.complaints).toEqual([])

    gate.resolve(null)
    while ((await faultOf('litecoin')) !== null) await watchChains(app.services)
    expect((await tryToBuy(app, buyer, { token: 'ltc' })).status).toBe(201)
    expect(litecoin.calls.get('getblockchaininfo')).toBeGreaterThan(0)
  })

  it('waits for the one that the node is at already', async () => {
    const message = 'Scan already in progress, use action "abort" or "status"'
    litecoin.intercept = async (method, [action], ask) => {
      if (method !== 'scantxoutset') return await ask()
      if (action === 'status') return { result: { progress: 7 } }
      return { error: { code: -8, message } }
    }
    await startUnread()
    while ((await faultOf('litecoin')) === null) await watchChains(app.services)
    expect(await faultOf('litecoin')).toMatch(
      /since before a restart \(7 % done\). It is asked again/,
    )
    litecoin.intercept = null
    while ((await faultOf('litecoin')) !== null) await watchChains(app.services)
    expect(await isAvailable('ltc')).toBe(true)
  })
})
