import { createBase58check } from '@scure/base'
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { deriveUtxoAddress } from '#server/payments/utxo/derive-address.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, regtest, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import {
  coinNamed,
  playMainnet,
  startUtxoApp,
  type CoinSymbol,
  utxoAccountKey,
} from '#tests/kit/servers/utxo-app.ts'

const READING = { timeout: 30_000 }
const TPUB = 0x04_35_87_cf
const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
)
const SKIPPED = 'The chain knows addresses that the database does not. They are skipped'
const keyOf = (symbol: CoinSymbol, xpub: string) => {
  const { path } = coinNamed(symbol)
  return parseExtendedKey(xpub, { name: symbol, prefixes: ['xpub'], path }) as ExtendedKey
}
const addressAt = (symbol: CoinSymbol, xpub: string, index: number) =>
  deriveUtxoAddress(coinNamed(symbol), keyOf(symbol, xpub), index)

describe('an address of the Bitcoin family', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let apps: TestApp[] = []

  beforeAll(async () => {
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
  })
  afterEach(async () => {
    proxy.intercept = null
    for (const app of apps.toReversed()) {
      await expectInvariants(app)
      expect(app.complaints.splice(0)).toEqual([])
      await app.close()
    }
    apps = []
  })
  afterAll(async () => {
    await proxy.stop()
    await litecoind.stop()
  })

  async function start(
    xpub: string,
    options: Partial<Parameters<typeof startUtxoApp>[0]> = {},
  ): Promise<TestApp> {
    const environment = { LTC_XPUB: xpub, ...options.environment }
    const app = await startUtxoApp({ nodes: { LTC: proxy.url }, ...options, environment })
    apps.push(app)
    return app
  }
  const buy = async (app: TestApp) => await aPurchase(app, await aUser(app), { token: 'ltc' })
  const indexesOf = async ({ open }: TestApp) => {
    const rows = await open.database.selectFrom('purchases').select('derivation_index').execute()
    return rows.map((row) => Number(row.derivation_index)).toSorted((one, other) => one - other)
  }
  /** A reading that derives many addresses may be ready only for the next call. */
  const moneyOfNobody = async ({ open, services }: TestApp) => {
    await watchChains(services)
    const unmatched = open.database.selectFrom('unmatched_transfers').selectAll()
    const rows = await unmatched.where('is_gone', '=', false).execute()
    return rows.map(({ address, amount }) => [address, amount]).toSorted()
  }

  it.each<[CoinSymbol, string]>([
    ['BTC', 'wpkh'],
    ['LTC', 'wpkh'],
    ['DOGE', 'pkh'],
  ])('of %s is the one that a node derives by itself', async (symbol, output) => {
    const xpub = utxoAccountKey(symbol, 'the same for both')
    // The node reads keys of its own network alone, whose prefix is the only difference.
    const tpub = asTestKey(xpub)
    const { descriptor } = await litecoind.rpc<{ descriptor: string }>(
      'getdescriptorinfo',
      `${output}(${tpub}/0/*)`,
    )
    const derived = await litecoind.rpc<string[]>('deriveaddresses', descriptor, [0, 20])
    const own = derived.map((_, index) => regtest(addressAt(symbol, xpub, index)))
    expect(own).toEqual(derived)
  })

  it('is one for each purchase, whichever instance makes it', async () => {
    const xpub = utxoAccountKey('LTC', 'two instances')
    const one = await start(xpub)
    const other = await start(xpub, { open: one.open })
    const purchases = await Promise.all(
      Array.from({ length: 20 }, (_, place) => buy(place % 2 === 0 ? one : other)),
    )
    expect(await indexesOf(one)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    const own = Array.from({ length: 20 }, (_, index) => addressAt('LTC', xpub, index))
    expect(purchases.map(addressOf).toSorted()).toEqual(own.toSorted())
  })

  it.each(['mined', 'waiting'])(
    'is not given out again after an old backup was restored, and what it is paid is shown (%s)',
    async (state) => {
      const xpub = utxoAccountKey('LTC', `a restored backup, ${state}`)
      const app = await start(xpub)
      // What the lost part of the database had given out was paid since, far from one another.
      await litecoind.pay([addressAt('LTC', xpub, 37), 1_000_000n])
      await litecoind.pay([addressAt('LTC', xpub, 700), 1_000_000n])
      if (state === 'mined') await litecoind.mine()
      const beyond = state === 'mined' ? 1201 : 538
      const skipped: unknown[] = []
      const skippedSoFar = async () => {
        await watchChains(app.services)
        const complaints = app.complaints.splice(0)
        skipped.push(...complaints.map(({ facts, message }) => [message, facts['nextIndex']]))
        return skipped
      }
      await expect
        .poll(skippedSoFar, READING)
        .toEqual([538, 1201].filter((index) => index <= beyond).map((index) => [SKIPPED, index]))
      const paid = [37, 700].map((index) => [addressAt('LTC', xpub, index), 1_000_000n])
      const seen = state === 'mined' ? paid : paid.slice(0, 1)
      await expect.poll(() => moneyOfNobody(app), READING).toEqual(seen.toSorted())
      await buy(app)
      expect(await indexesOf(app)).toEqual([beyond])
      await litecoind.mine()
      await expect.poll(() => moneyOfNobody(app), READING).toEqual(paid.toSorted())
      app.complaints.splice(0)
    },
  )

  it('that was skipped shows what it is paid once, and no more when that was replaced or undone', async () => {
    const xpub = utxoAccountKey('LTC', 'money of nobody')
    const app = await start(xpub, { environment: { DERIVATION_INDEX_MIN: '10' } })
    const skipped = addressAt('LTC', xpub, 5)
    const coin = await litecoind.aCoin()
    const pay = async (amount: bigint, fee: bigint) =>
      await litecoind.send(
        await litecoind.sign(coin, amount === 0n ? [] : [[skipped, amount]], fee),
      )
    await pay(1_000_000n, 20_000n)
    await expect.poll(() => moneyOfNobody(app), READING).toEqual([[skipped, 1_000_000n]])
    await pay(999_000n, 200_000n)
    await expect.poll(() => moneyOfNobody(app), READING).toEqual([[skipped, 999_000n]])
    await litecoind.mine()
    expect(await moneyOfNobody(app)).toEqual([[skipped, 999_000n]])
    await litecoind.drop(1)
    const rival = await litecoind.sign(coin, [], 2_000_000n)
    await litecoind.mineOnly([rival])
    await litecoind.mineOnly()
    await expect.poll(() => moneyOfNobody(app), READING).toEqual([])
    app.complaints.splice(0)
  })

  it('is not given out where the key has coins from before the sale', async () => {
    const xpub = utxoAccountKey('LTC', 'a key of before')
    await litecoind.pay([addressAt('LTC', xpub, 3), 1_000_000n])
    await litecoind.mine()
    const app = await start(xpub)
    expect(app.complaints.splice(0)).toMatchObject([{ message: SKIPPED }])
    await buy(app)
    expect(await indexesOf(app)).toEqual([504])
  })

  it('is given out by a node that does not know of earlier use, from the index that the operator sets', async () => {
    const xpub = utxoAccountKey('LTC', 'a node of few words')
    proxy.intercept = async (method, _, ask) =>
      method === 'scantxoutset'
        ? { error: { code: -32601, message: 'Method not found' } }
        : await ask()
    const app = await start(xpub, { environment: { DERIVATION_INDEX_MIN: '1000' } })
    expect(app.complaints.splice(0).map(({ message }) => message)).toEqual([
      'Addresses are skipped, as DERIVATION_INDEX_MIN requires',
      expect.stringContaining('cannot tell whether the key was used before'),
    ])
    await buy(app)
    expect(await indexesOf(app)).toEqual([1000])
  })

  it('of a former key stays watched, and the new key begins with its own', async () => {
    const former = utxoAccountKey('LTC', 'the former key')
    const before = await start(former)
    const buyer = await aUser(before)
    const purchase = await aPurchase(before, buyer, { token: 'ltc' })
    const xpub = utxoAccountKey('LTC', 'the new key')
    const { fingerprint } = keyOf('LTC', xpub)
    const environment = { ACCEPT_NEW_KEY: fingerprint }
    const after = await start(xpub, { open: before.open, environment })
    expect(after.complaints.splice(0)).toMatchObject([{ facts: { fingerprint } }])
    expect(addressOf(await buy(after))).toBe(addressAt('LTC', xpub, 0))
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await litecoind.mine(CONFIRMATIONS)
    expect(await readAndLook(after, buyer, purchase)).toMatchObject({ status: 'completed' })
  })
})

/** The same key as networks for tests write it. */
function asTestKey(xpub: string): string {
  const bytes = base58check.decode(xpub)
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, TPUB)
  return base58check.encode(bytes)
}
