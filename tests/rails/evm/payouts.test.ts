import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAddress } from 'viem'
import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Payout, Payouts } from '#server/ports/payouts.ts'
import { readAddress } from '#server/use-cases/refunds/read-address.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil, transferCall } from '#tests/kit/servers/anvil.ts'
import { aCoin, addressOf, aToken, CONFIRMATIONS, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { nothingElse, payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const CHAIN = 'eip155:1'
const eth = aCoin()

describe('payouts on an EVM chain', () => {
  let anvil: Anvil
  let app: TestApp
  let payouts: Payouts
  let usdt: PaymentToken
  let payer: string

  beforeAll(async () => {
    anvil = await startAnvil()
    usdt = aToken(await anvil.deployToken())
    payer = await anvil.deployPayer()
    app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [eth, usdt] })
    payouts = payoutsOf(app, 'evm')
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
  })

  const aPayout = (paymentToken: PaymentToken, amount: bigint, address?: string): Payout => ({
    id: randomUUID(),
    address: address ?? getAddress(`0x${randomBytes(20).toString('hex')}`),
    paymentToken,
    amount: cryptoAmount(amount),
  })

  async function aBatch(...batched: Payout[]) {
    const sinceHeight = BigInt(await anvil.height())
    const batch = { id: 1n, chain: CHAIN, createdAt: new Date(), payouts: batched }
    const find = async (search: Partial<Parameters<Payouts['find']>[2]> = {}) =>
      (await payouts.find(CHAIN, batched, { ...nothingElse, sinceHeight, ...search })).found
    return { batch, find }
  }

  it('of tokens by a contract are found without a hash, two to one address by a log each', async () => {
    const one = aPayout(usdt, 5_000_000n)
    const other = aPayout(usdt, 7_000_001n, one.address)
    const { find } = await aBatch(one, other)
    const contract = usdt.contract ?? ''
    await anvil.transferToken(contract, payer, 12_000_001n)
    const hash = await anvil.call(payer, 'payTwice', [
      contract,
      one.address,
      one.amount,
      other.amount,
    ])
    expect(await find()).toEqual([])
    await anvil.mine()
    const found = await find()
    expect(found).toMatchObject([
      { id: one.id, transactionHash: hash, confirmations: 1, requiredConfirmations: CONFIRMATIONS },
      { id: other.id, transactionHash: hash, confirmations: 1 },
    ])
    expect(found[0]?.index).not.toBe(found[1]?.index)
    await anvil.mine(CONFIRMATIONS - 1)
    expect(await find()).toMatchObject([
      { confirmations: CONFIRMATIONS },
      { confirmations: CONFIRMATIONS },
    ])
  })

  it('of a batch that was reverted are not found: a paused or blacklisting token moves nothing', async () => {
    const one = aPayout(usdt, 5_000_000n)
    const { find } = await aBatch(one)
    // The contract has none left, so that the second transfer fails, and with it the first.
    const contract = usdt.contract ?? ''
    await anvil.transferToken(contract, payer, 5_000_000n)
    const hash = await anvil.call(payer, 'payTwice', [contract, one.address, one.amount, 1n])
    await anvil.mine(2)
    expect(await anvil.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x0' })
    expect(await find({ hashes: [hash] })).toEqual([])
  })

  it('of coins are found in plain transactions', async () => {
    const one = aPayout(eth, 10n ** 18n)
    const { find } = await aBatch(one)
    const hash = await anvil.send({ to: one.address, value: one.amount })
    await anvil.mine(2)
    expect(await find()).toMatchObject([{ transactionHash: hash, index: 0, confirmations: 2 }])
  })

  it('of coins are not said to be gone while the sale has read too little of the chain', async () => {
    const one = aPayout(eth, 10n ** 18n)
    const { batch } = await aBatch(one)
    const sinceHeight = BigInt(await anvil.height())
    await anvil.mine(100)
    const hash = await anvil.send({ to: one.address, value: one.amount })
    await anvil.mine()
    const look = (readHeight: bigint) =>
      payouts.find(CHAIN, batch.payouts, { ...nothingElse, sinceHeight, readHeight })
    const found = [{ transactionHash: hash }]
    expect(await look(sinceHeight)).toMatchObject({ found: [], isWhole: false })
    expect(await look(sinceHeight + 100n)).toMatchObject({ found, isWhole: true })
  })

  it('are those of the treasury alone where there is one, and of named transactions', async () => {
    const contract = usdt.contract ?? ''
    const [one, other] = [aPayout(usdt, 5_000_000n), aPayout(eth, 10n ** 17n)]
    const both = [one, other]
    const { find } = await aBatch(...both)
    const sinceHeight = BigInt(await anvil.height())
    // All that the payer does is done by the node's own account, which is not the treasury.
    await anvil.transferToken(contract, payer, 5_000_001n)
    const coins = await anvil.send({ to: other.address, value: other.amount })
    const tokens = await anvil.call(payer, 'payTwice', [contract, one.address, one.amount, 1n])
    await anvil.mine()
    expect(await find()).toHaveLength(2)
    const again = await startEvmApp({
      nodes: { 1: anvil.url },
      tokens: [eth, usdt],
      environment: { EVM_TREASURY_1: getAddress(payer) },
    })
    const look = async (hashes: string[]) => {
      const search = { ...nothingElse, sinceHeight, hashes }
      const answer = await again.services.rails.get('evm')?.payouts?.find(CHAIN, both, search)
      return answer?.found.map(({ transactionHash }) => transactionHash)
    }
    expect(await look([])).toEqual([tokens])
    expect(await look([coins])).toEqual([tokens, coins])
    await again.close()
  })

  it('are those of named transactions alone where there are some, and no treasury', async () => {
    const contract = usdt.contract ?? ''
    const [one, other] = [aPayout(usdt, 6_000_000n), aPayout(eth, 3n * 10n ** 17n)]
    const { find } = await aBatch(one, other)
    await anvil.transferToken(contract, one.address, one.amount)
    await anvil.send({ to: other.address, value: other.amount })
    await anvil.mine()
    expect(await find({ own: { batchId: 1n, named: [] } })).toHaveLength(2)
    const tokens = await anvil.transferToken(contract, one.address, one.amount)
    await anvil.mine()
    const found = await find({ hashes: [tokens], own: { batchId: 1n, named: [tokens] } })
    expect(found).toMatchObject([{ id: one.id, transactionHash: tokens }])
  })

  it('are not asked of a node that is behind', async () => {
    const { find } = await aBatch(aPayout(eth, 1n))
    const readHeight = BigInt(await anvil.height()) + 1n
    await expect(find({ readHeight })).rejects.toThrow(/fewer blocks/)
  })

  it('of coins that a contract sent are found in the named transaction', async () => {
    const [one, other] = [aPayout(eth, 10n ** 17n), aPayout(eth, 10n ** 17n)]
    const { find } = await aBatch(one, other)
    const to = [one.address, other.address]
    const hash = await anvil.call(payer, 'pay', [to], 2n * 10n ** 17n)
    await anvil.mine()
    const found = await find({ hashes: [hash] })
    expect(found).toMatchObject([
      { id: one.id, transactionHash: hash, confirmations: 1 },
      { id: other.id, transactionHash: hash, confirmations: 1 },
    ])
    // Without the name nobody knows which transaction did it.
    expect(await find()).toEqual([])
  })

  it('of coins that a contract sent stay found where a node traces its transaction no more', async () => {
    const one = aPayout(eth, 10n ** 17n)
    const other = aPayout(eth, 10n ** 17n, one.address)
    const { find } = await aBatch(one, other)
    const sinceHeight = BigInt(await anvil.height())
    const hash = await anvil.call(payer, 'pay', [[one.address, one.address]], 2n * 10n ** 17n)
    await anvil.mine()
    const search = { hashes: [hash], followed: [hash] }
    const found = await find(search)
    const places = found.map(({ id, transactionHash, index }) => ({ id, transactionHash, index }))
    expect(places).toMatchObject([{ index: 0 }, { index: 1 }])
    const proxy = await startRpcProxy(anvil.url)
    proxy.intercept = async (method, _, ask) =>
      method === 'debug_traceTransaction'
        ? { error: { code: -32_000, message: 'required historical state is unavailable' } }
        : await ask()
    const again = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [eth, usdt] })
    const known = new Map(places.map(({ id, ...place }) => [id, place]))
    const look = async (changes: Partial<Parameters<Payouts['find']>[2]>) =>
      await again.services.rails
        .get('evm')
        ?.payouts?.find(CHAIN, [one, other], { ...nothingElse, ...search, sinceHeight, ...changes })
    expect((await look({ known }))?.found).toMatchObject(places)
    // One of them alone keeps its place.
    expect((await look({ known: new Map([...known].slice(1)) }))?.found).toMatchObject(
      places.slice(1),
    )
    // What nobody has found in it may have been paid all the same.
    expect(await look({})).toMatchObject({ found: [], sights: [{ hash, state: 'unread' }] })
    await again.close()
    await proxy.stop()
  })

  it('of coins that several transactions of a contract sent are found in each that was named', async () => {
    const [one, other] = [aPayout(eth, 10n ** 17n), aPayout(eth, 2n * 10n ** 17n)]
    const { find } = await aBatch(one, other)
    const first = await anvil.call(payer, 'pay', [[one.address]], one.amount)
    const second = await anvil.call(payer, 'pay', [[other.address]], other.amount)
    await anvil.mine()
    expect(await find({ hashes: [second, first] })).toMatchObject([
      { id: one.id, transactionHash: first },
      { id: other.id, transactionHash: second },
    ])
  })

  it('of coins to whom refuses them are not found', async () => {
    const one = aPayout(eth, 10n ** 17n, getAddress(usdt.contract ?? ''))
    const { find } = await aBatch(one)
    const hash = await anvil.send({ to: one.address, value: one.amount })
    await anvil.mine(2)
    expect(await find({ hashes: [hash] })).toEqual([])
  })

  it('are none of what came before the batch, pays another claim, or has another amount', async () => {
    const one = aPayout(usdt, 3_000_000n)
    const contract = usdt.contract ?? ''
    await anvil.transferToken(contract, one.address, one.amount)
    await anvil.mine()
    const { find } = await aBatch(one)
    await anvil.transferToken(contract, one.address, one.amount + 1n)
    await anvil.mine()
    expect(await find()).toEqual([])
    const hash = await anvil.transferToken(contract, one.address, one.amount)
    await anvil.mine()
    expect(await find()).toMatchObject([{ transactionHash: hash }])
    expect(await find({ isTaken: ({ transactionHash }) => transactionHash === hash })).toEqual([])
  })

  it('are gone with a block that a reorganisation takes back', async () => {
    const one = aPayout(usdt, 4_000_000n)
    const { find } = await aBatch(one)
    const snapshot = await anvil.rpc('evm_snapshot')
    await anvil.transferToken(usdt.contract ?? '', one.address, one.amount)
    await anvil.mine(2)
    expect(await find()).toMatchObject([{ confirmations: 2 }])
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.mine(3)
    expect(await find()).toEqual([])
  })

  it('in named transactions are found below the batch too, where a reorganisation has put them', async () => {
    const [one, other] = [aPayout(usdt, 4_000_000n), aPayout(eth, 10n ** 17n)]
    const pay = async () => [
      await anvil.transferToken(usdt.contract ?? '', one.address, one.amount),
      await anvil.send({ to: other.address, value: other.amount }),
    ]
    const snapshot = await anvil.rpc('evm_snapshot')
    await anvil.mine(3)
    const { find } = await aBatch(one, other)
    await pay()
    await anvil.mine()
    expect(await find()).toHaveLength(2)
    await anvil.rpc('evm_revert', [snapshot])
    const hashes = await pay()
    await anvil.mine(6)
    expect(await find()).toEqual([])
    expect(await find({ hashes })).toMatchObject([
      { id: one.id, transactionHash: hashes[0], confirmations: 6 },
      { id: other.id, transactionHash: hashes[1], confirmations: 6 },
    ])
  })

  it('are none of what named transactions paid longer before the batch than any reorganisation', async () => {
    const [one, other] = [aPayout(usdt, 4_000_001n), aPayout(eth, 10n ** 17n + 1n)]
    const hashes = [
      await anvil.transferToken(usdt.contract ?? '', one.address, one.amount),
      await anvil.send({ to: other.address, value: other.amount }),
    ]
    await anvil.mine(400)
    expect(await (await aBatch(one, other)).find({ hashes })).toHaveLength(2)
    await anvil.mine()
    // Nor are their blocks' logs asked for, which nodes may have dropped.
    const proxy = await startRpcProxy(anvil.url)
    const again = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [eth, usdt] })
    const sinceHeight = BigInt(await anvil.height())
    proxy.calls.clear()
    const search = { ...nothingElse, sinceHeight, hashes }
    const looked = await again.services.rails.get('evm')?.payouts?.find(CHAIN, [one, other], search)
    expect(looked?.found).toEqual([])
    expect(proxy.calls.get('eth_getLogs')).toBeUndefined()
    await again.close()
    await proxy.stop()
  })

  it('that were paid are known to be gone, however deep the reorganisation', async () => {
    const [one, other] = [aPayout(usdt, 4_000_000n), aPayout(eth, 10n ** 17n)]
    const snapshot = await anvil.rpc('evm_snapshot')
    const hashes = [
      await anvil.transferToken(usdt.contract ?? '', one.address, one.amount),
      await anvil.send({ to: other.address, value: other.amount }),
    ]
    await anvil.mine(30)
    const height = BigInt(await anvil.height())
    const paid = [one, other].map(({ id, address }, nth) => ({
      id,
      address,
      transactionHash: hashes[nth] ?? '',
      index: 0,
      height: height - 29n,
    }))
    expect(await payouts.findGone(CHAIN, paid, height)).toEqual([])
    // Some nodes keep receipts for some hours, and blocks for ever.
    const proxy = await startRpcProxy(anvil.url)
    proxy.intercept = async (method, _, ask) =>
      method === 'eth_getTransactionReceipt' ? { result: null } : await ask()
    const again = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [eth, usdt] })
    const findGone = again.services.rails.get('evm')?.payouts?.findGone
    expect(await findGone?.(CHAIN, paid, height)).toEqual([])
    await again.close()
    await proxy.stop()
    await anvil.rpc('evm_revert', [snapshot])
    await expect(payouts.findGone(CHAIN, paid, height)).rejects.toThrow(/fewer blocks/)
    await anvil.mine(31)
    expect(await payouts.findGone(CHAIN, paid, height)).toEqual([one.id, other.id])
  })

  it('cost the gas that they take at the price of the moment, in their own units', async () => {
    await refreshPrices(app.services)
    const price = BigInt(await anvil.rpc<string>('eth_gasPrice'))
    expect(await payouts.networkFee(eth)).toBe(price * 21_000n)
    const prices = await app.open.database.selectFrom('prices').selectAll().execute()
    const priceOf = (symbol: string) => prices.find((each) => each.symbol === symbol)?.price ?? 1n
    const wei = price * 65_000n
    const units = (wei * priceOf('ETH') * 10n ** 6n) / (10n ** 18n * priceOf('USDT'))
    const fee = (await payouts.networkFee(usdt)) ?? 0n
    expect(fee - units).toBeLessThanOrEqual(1n)
    expect(fee).toBeGreaterThan(0n)
  })

  it('of a token to an address that has none of it take no more gas than is charged for', async () => {
    const { address } = aPayout(usdt, 1n)
    const from = (await anvil.rpc<string[]>('eth_accounts'))[0]
    const call = { from, to: usdt.contract, data: transferCall(address, 1_000n) }
    expect(Number(await anvil.rpc('eth_estimateGas', [call]))).toBeLessThanOrEqual(65_000)
  })

  it('go to no address of the sale, and to no token’s contract', async () => {
    const own = addressOf(await aPurchase(app, await aUser(app), { token: 'eth' }))
    for (const address of [own, own.toLowerCase()]) {
      const wanted = { paymentTokenId: usdt.id, chain: CHAIN, address }
      await expect(readAddress(app.services, wanted)).rejects.toMatchObject({
        details: { errors: [{ code: 'own' }] },
      })
    }
    expect(await payouts.readAddress(usdt, usdt.contract ?? '')).toHaveProperty('fault')
    const { address } = aPayout(eth, 1n)
    expect(await payouts.readAddress(usdt, address)).toEqual({ address })
  })
})
