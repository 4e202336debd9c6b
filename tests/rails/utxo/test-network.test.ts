import { HDKey } from '@scure/bip32'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { listMissingForSale, parseConfig } from '#server/config/config.ts'
import { testCoins } from '#server/payments/utxo/coins.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectAllWell, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { aSale } from '#tests/kit/builders/domain-builders.ts'
import {
  addressOf,
  CONFIRMATIONS,
  dueOf,
  onTokens,
  readAndLook,
} from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { aUtxoCoin, playMainnet, playNetwork, utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'

const TEST_VERSIONS = { private: 0x04_35_83_94, public: 0x04_35_87_cf }
const ltc = { ...aUtxoCoin('LTC'), testNetwork: 'testnet' }
const [testLitecoin] = testCoins.filter(({ symbol }) => symbol === 'LTC')

function testKey(): string {
  const seed = Buffer.from(randomUUID().padEnd(32, '.'))
  return HDKey.fromMasterSeed(seed, TEST_VERSIONS).derive("m/84'/1'/0'").publicExtendedKey
}

async function start(url: string): Promise<TestApp> {
  return await startApp({
    changeSale: (sale) => onTokens(sale, [ltc]),
    environment: {
      LTC_NETWORK: 'testnet',
      LTC_XPUB: testKey(),
      LTC_RPC_URL: url,
      LTC_CONFIRMATIONS: String(CONFIRMATIONS),
    },
  })
}

describe('a sale on a test network', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let real: RpcProxy
  let app: TestApp

  beforeAll(async () => {
    if (testLitecoin === undefined) throw new Error('Litecoin has a test network.')
    litecoind = await startLitecoind()
    proxy = await playNetwork(testLitecoin, litecoind.url)
    real = await playMainnet('LTC', litecoind.url)
    app = await start(proxy.url)
    const { services } = app
    const isUnread = () =>
      services.rails.get('utxo')?.health?.('litecoin-testnet').readAgoMs === null
    do await watchChains(services)
    while (isUnread())
  })
  afterAll(async () => {
    await app.close()
    await real.stop()
    await proxy.stop()
    await litecoind.stop()
  })

  it('takes its coins at its addresses, and says that they are worth nothing', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'ltc' })
    expect(addressOf(purchase)).toMatch(/^tltc1q[0-9a-z]{38}$/)
    expect(purchase).toMatchObject({
      payment_uri: `litecoin:${addressOf(purchase)}?amount=${purchase.payment_amount}`,
      payment_token: { chain: 'LTC', test_network: 'testnet' },
    })
    const { body: project } = await app.client.call(saleContract.getCurrentProject, {})
    expect(project.payment_tokens).toMatchObject([{ id: 'ltc', test_network: 'testnet' }])
    const hash = await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed' })
    expect(completed.receipts).toMatchObject([
      { explorer_url: `https://litecoinspace.org/testnet/tx/${hash}` },
    ])
    await expectAllWell(app)
  })

  it('sells nothing by a node of the real network', async () => {
    const own = await start(real.url)
    await watchChains(own.services)
    const reply = await tryToBuy(own, await aUser(own), { token: 'ltc' })
    expect(reply.refusal.reason).toBe('RailUnavailable')
    expect(own.complaints.splice(0).map(({ facts }) => String(facts['why']))).toContainEqual(
      expect.stringContaining('is of the network main, not of litecoin-testnet’s, which is test'),
    )
    await own.close()
  })
})

describe('the settings of a test network', () => {
  const missing = (environment: Record<string, string>, testNetwork: string | null) =>
    listMissingForSale(
      parseConfig(environment),
      aSale({ paymentTokens: [{ ...aUtxoCoin('LTC'), testNetwork }] }),
    ).filter((sentence) => sentence.startsWith('LTC_'))
  const url = 'http://user:password@127.0.0.1:9332'

  it('are asked for by the sale file, and never taken for those of real coins', () => {
    const test = { LTC_NETWORK: 'testnet', LTC_XPUB: testKey(), LTC_RPC_URL: url }
    expect(missing(test, 'testnet')).toEqual([])
    expect(missing(test, null)).toEqual(['LTC_NETWORK must not be set: the sale takes real LTC'])
    expect(missing({ LTC_XPUB: utxoAccountKey('LTC', 'a'), LTC_RPC_URL: url }, 'testnet')).toEqual([
      'LTC_NETWORK must be testnet: the sale takes LTC of that test network',
    ])
  })

  it('have keys of that network alone, which may be one for several coins', () => {
    expect(() =>
      parseConfig({ LTC_NETWORK: 'testnet', LTC_XPUB: utxoAccountKey('LTC', 'a') }),
    ).toThrow(/LTC_XPUB must be .* \(vpub or tpub…\): this is a xpub/)
    expect(() => parseConfig({ LTC_XPUB: testKey() })).toThrow(/this is a tpub, of another network/)
    expect(() => parseConfig({ LTC_NETWORK: 'regtest' })).toThrow(/LTC_NETWORK must be testnet, or/)
    const key = testKey()
    const both = { BTC_NETWORK: 'signet', BTC_XPUB: key, LTC_NETWORK: 'testnet', LTC_XPUB: key }
    expect(parseConfig(both).rails.utxo).toHaveLength(3)
  })
})
