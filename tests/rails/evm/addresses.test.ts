import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import type { Sale } from '#domain/sale/sale.ts'
import { parseExtendedKey, type ExtendedKey } from '#server/payments/keys/extended-key.ts'
import { deriveEvmAddress } from '#server/payments/evm/derive-address.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, refundsOf, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
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
import { type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

describe('an address of an EVM chain', () => {
  let anvil: Anvil
  let proxy: RpcProxy
  let apps: TestApp[] = []

  beforeAll(async () => {
    anvil = await startAnvil()
    proxy = await startRpcProxy(anvil.url)
  })
  afterEach(async () => {
    proxy.intercept = null
    for (const app of apps.toReversed()) {
      await expectInvariants(app)
      await app.close()
    }
    apps = []
  })
  afterAll(async () => {
    await proxy.stop()
    await anvil.stop()
  })

  async function start(options: Partial<Parameters<typeof startEvmApp>[0]> = {}): Promise<TestApp> {
    const app = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [aCoin()], ...options })
    apps.push(app)
    return app
  }

  const rules = { name: 'EVM_XPUB', prefixes: ['xpub'], path: "m/44'/60'/0'" } as const
  const keyOf = (xpub: string) => parseExtendedKey(xpub, rules) as ExtendedKey
  const indexesOf = async ({ open }: TestApp) => {
    const rows = await open.database.selectFrom('purchases').select('derivation_index').execute()
    return rows.map((row) => Number(row.derivation_index)).toSorted((one, other) => one - other)
  }

  it('is the operator’s own, one for each purchase, whichever instance makes it', async () => {
    const xpub = accountKey('two instances')
    const one = await start({ environment: { EVM_XPUB: xpub } })
    const other = await start({ environment: { EVM_XPUB: xpub }, open: one.open })
    const purchases = await Promise.all(
      Array.from({ length: 30 }, async (_, place) => {
        const app = place % 2 === 0 ? one : other
        return await aPurchase(app, await aUser(app))
      }),
    )
    expect(await indexesOf(one)).toEqual(Array.from({ length: 30 }, (_, index) => index))
    const key = keyOf(xpub)
    const own = Array.from({ length: 30 }, (_, index) => deriveEvmAddress(key, index))
    expect(purchases.map(addressOf).toSorted()).toEqual(own.toSorted())
  })

  it.each(['coins', 'tokens', 'emptied'])(
    'is not given out when the chain shows that it was used before (%s)',
    async (trace) => {
      const xpub = accountKey(`a restored backup, ${trace}`)
      const used = deriveEvmAddress(keyOf(xpub), 37)
      const usdt = await anvil.deployToken()
      if (trace === 'coins') await anvil.send({ to: used, value: 1n })
      if (trace === 'tokens') await anvil.transferToken(usdt, used, 1n)
      if (trace === 'emptied') await anvil.rpc('anvil_setNonce', [used, '0x1'])
      await anvil.mine()
      const tokens = [aCoin(), aToken(usdt)]
      const app = await start({ environment: { EVM_XPUB: xpub }, tokens })
      expect(app.complaints.splice(0)).toMatchObject([
        { message: 'The chain knows addresses that the database does not. They are skipped' },
      ])
      await aPurchase(app, await aUser(app))
      expect(await indexesOf(app)).toEqual([538])
      // Somebody may have been shown an address that the database has lost, and pay to it now.
      const shown = deriveEvmAddress(keyOf(xpub), 400)
      await anvil.send({ to: shown, value: 5n })
      await anvil.mine()
      await watchChains(app.services)
      const found = await app.open.database.selectFrom('unmatched_transfers').selectAll().execute()
      expect(found).toContainEqual(expect.objectContaining({ address: shown, amount: 5n }))
    },
  )

  it('is not given out below the index that the operator sets', async () => {
    const app = await start({ environment: { DERIVATION_INDEX_MIN: '1000' } })
    await aPurchase(app, await aUser(app))
    expect(await indexesOf(app)).toEqual([1000])
    expect(app.complaints.splice(0)).toMatchObject([{ facts: { nextIndex: 1000 } }])
  })

  it('is not given out by a copy because of an index that was set before it was made', async () => {
    const EVM_XPUB = accountKey('a copy')
    const startWith = async (indexMin: number, open?: TestApp['open']) => {
      const environment = { EVM_XPUB, DERIVATION_INDEX_MIN: String(indexMin) }
      const app = await start({ environment, ...(open && { open }) })
      app.complaints.splice(0)
      return app.open
    }
    const open = await startWith(50)
    const copied = { database: 'the one that was copied' }
    await open.database.updateTable('pinned_keys').set(copied).execute()
    await expect(startWith(50, open).then(() => 'started')).rejects.toThrow(
      'Set DERIVATION_INDEX_MIN to 51',
    )
    await startWith(51, open)
    await startWith(0, open)
  })

  it('is not skipped with more others than can be watched, as by a digit too many', async () => {
    await expect(start({ environment: { DERIVATION_INDEX_MIN: '10000000' } })).rejects.toThrow(
      'Set it to at most 100000',
    )
  })

  it('is not used up by a purchase that is refused, or asked for again', async () => {
    const withoutMaximum = (sale: Sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({ ...stage, maxUsd: null })),
    })
    const app = await start({ changeSale: withoutMaximum })
    const buyer = await aUser(app)
    const given = async () => {
      const rows = await app.open.database.selectFrom('derived_addresses').selectAll().execute()
      return rows.length
    }
    const tooMuch = await tryToBuy(app, buyer, { usd: 1_000_000_000 })
    expect(tooMuch.refusal).toMatchObject({ reason: 'NoTokensLeft' })
    expect(await given()).toBe(0)
    for (let time = 1; time <= 3; time += 1) await aPurchase(app, buyer, { key: 'once' })
    expect(await given()).toBe(1)
    const other = await tryToBuy(app, buyer, { key: 'once', usd: 4321 })
    expect(other.refusal).toMatchObject({ reason: 'IdempotencyKeyReused' })
    expect(await given()).toBe(1)
    const { openPerUserMax } = app.services.sale.purchases
    for (let open = 1; open < openPerUserMax; open += 1) await aPurchase(app, buyer)
    const oneMore = await tryToBuy(app, buyer)
    expect(oneMore.refusal).toMatchObject({ reason: 'TooManyOpenPurchases' })
    expect(await given()).toBe(openPerUserMax)
  })

  it('finds what was paid to it before the chain was first read', async () => {
    const app = await start()
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('that was paid on a chain before this had a node is found to have been', async ({
    onTestFinished,
  }) => {
    const bsc = await startAnvil(56)
    onTestFinished(() => bsc.stop())
    const environment = { EVM_XPUB: accountKey('a chain that comes later') }
    const before = await start({ environment })
    const buyer = await aUser(before)
    const purchase = await aPurchase(before, buyer)
    await bsc.send({ to: addressOf(purchase), value: 5n })
    await bsc.mine(100)
    const bnb = aCoin({ id: 'bnb', symbol: 'BNB', chain: 'BSC', chainId: 56 })
    const tokens = [aCoin(), bnb]
    const nodes = { 1: proxy.url, 56: bsc.url }
    const app = await start({ nodes, tokens, environment, open: before.open })
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status_reason: 'wrong_asset' })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 5n, why: 'wrong_asset' }])
    expect(app.services.rails.get('evm')?.health?.('eip155:56').fault).toBeNull()
    expect(app.complaints).toEqual([])
  })

  it('is not given out while the chain cannot be asked, and again when it can', async () => {
    proxy.intercept = async () => 502
    const other = await startAnvil(56)
    const bnb = aCoin({ id: 'bnb', symbol: 'BNB', chain: 'BSC', chainId: 56 })
    const app = await start({ nodes: { 1: proxy.url, 56: other.url }, tokens: [aCoin(), bnb] })
    const buyer = await aUser(app)
    expect((await tryToBuy(app, buyer)).refusal).toMatchObject({ reason: 'RailUnavailable' })
    expect(await tryToBuy(app, buyer, { token: 'bnb' })).toMatchObject({ status: 201 })
    expect(app.complaints.splice(0)).toMatchObject([
      { facts: { chain: 'eip155:1', unavailable: ['ETH'] } },
    ])
    proxy.intercept = null
    // The next reading is the first contact.
    await readAndLook(app, buyer, (await tryToBuy(app, buyer, { token: 'bnb' })).body.data)
    expect(await tryToBuy(app, buyer)).toMatchObject({ status: 201 })
    await other.stop()
  })

  it('is not given out for a token that differs from the sale file', async () => {
    const usdt = await anvil.deployToken({ decimals: 18 })
    const tokens = [
      aCoin(),
      aToken(usdt),
      aToken('0x000000000000000000000000000000000000dEaD', { id: 'none', symbol: 'NONE' }),
    ]
    const app = await start({ tokens })
    const buyer = await aUser(app)
    for (const token of ['usdt', 'none']) {
      const reply = await tryToBuy(app, buyer, { token })
      expect(reply.refusal).toMatchObject({ reason: 'RailUnavailable' })
    }
    expect(await tryToBuy(app, buyer)).toMatchObject({ status: 201 })
    const messages = app.complaints.splice(0).map(({ message }) => message)
    expect(messages).toEqual([
      expect.stringContaining('has 18 decimals, and 6 in the sale file'),
      expect.stringContaining('There is no token contract for NONE'),
    ])
    // Checked again: the contract is there by now.
    await anvil.rpc('anvil_setCode', [
      '0x000000000000000000000000000000000000dEaD',
      '0x600660005260206000f3',
    ])
    const purchase = (await tryToBuy(app, buyer)).body.data
    await readAndLook(app, buyer, purchase)
    expect(await tryToBuy(app, buyer, { token: 'none' })).toMatchObject({ status: 201 })
  })

  it('is watched by the next node where the first is of another chain, or down', async () => {
    const other = await startAnvil(137)
    const urls = `${other.url}, http://127.0.0.1:1 ${proxy.url}`
    const app = await start({ nodes: {}, environment: { EVM_RPC_URL_1: urls } })
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(200)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(app.complaints).toEqual([])
    await other.stop()
  })
})
