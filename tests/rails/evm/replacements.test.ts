import { randomBytes, randomUUID } from 'node:crypto'
import { encodeFunctionData, getAddress, parseAbi, parseTransaction, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { NamedSight, Payout, Payouts, PayoutSearch } from '#server/ports/payouts.ts'
import { type Anvil, startAnvil, transferCall } from '#tests/kit/servers/anvil.ts'
import { aCoin, aToken, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const CHAIN = 'eip155:1'
const DEEP = 12
const eth = aCoin()
const safeAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])
/**
 * Stands for a Safe of one transaction: the first call of `execTransaction` sends the coins and
 * reports `ExecutionSuccess`, any further one is reverted, as the nonce of its signatures is used.
 */
const ONE_CALL_SAFE: Hex = `0x600054604657600160005560006000600060006024356004355af11560465\
77f442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e60006000a1005b60006000fd`
/** The same without a nonce, as an owner who is enough alone needs no signature that has one. */
const ANY_CALL_SAFE: Hex = `0x60006000600060006024356004355af115603b\
577f442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e60006000a1005b60006000fd`

describe('a named transaction that is replaced in its wallet', () => {
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

  const aPayout = (paymentToken: PaymentToken, amount: bigint): Payout => ({
    id: randomUUID(),
    address: getAddress(`0x${randomBytes(20).toString('hex')}`),
    paymentToken,
    amount: cryptoAmount(amount),
  })

  /** Looks for payouts as the server does, with what it has seen of the named ones before. */
  async function aSearch(named: string[], ...batched: Payout[]) {
    const sinceHeight = BigInt(await anvil.height())
    let sights: readonly NamedSight[] = []
    return async (from = payouts) => {
      const replaced = sights.flatMap(({ replacedBy }) => replacedBy ?? [])
      const search: PayoutSearch = {
        sinceHeight,
        readHeight: 0n,
        hashes: [...named, ...replaced],
        followed: named,
        own: { batchId: 1n, named },
        sights: new Map(sights.map((sight) => [sight.hash, sight])),
        known: new Map(),
        isTaken: () => false,
      }
      const answer = await from.find(CHAIN, batched, search)
      sights = answer.sights
      return { found: answer.found, sights }
    }
  }

  /** A wallet with coins, which signs by itself: what it replaces has the same nonce. */
  async function aWallet() {
    const account = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`)
    await anvil.rpc('anvil_setBalance', [account.address, '0x8ac7230489e80000'])
    return {
      address: account.address,
      async send({ nonce = 0, gwei = 2, to, value = 0n, data }: Sent) {
        const raw = await account.signTransaction({
          chainId: 1,
          nonce,
          gas: 300_000n,
          gasPrice: BigInt(gwei) * 10n ** 9n,
          to: to as Hex,
          value,
          ...(data !== undefined && { data: data as Hex }),
        })
        expect(parseTransaction(raw).nonce ?? 0).toBe(nonce)
        return await anvil.rpc<string>('eth_sendRawTransaction', [raw])
      },
    }
  }
  type Sent = { nonce?: number; gwei?: number; to: string; value?: bigint; data?: string }

  it('is found in the one that has its nonce, in tokens', async () => {
    const wallet = await aWallet()
    const contract = usdt.contract ?? ''
    await anvil.transferToken(contract, wallet.address, 9_000_000n)
    await anvil.mine()
    const one = aPayout(usdt, 4_000_000n)
    const data = transferCall(one.address, one.amount)
    const first = await wallet.send({ to: contract, data })
    const look = await aSearch([first], one)
    expect(await look()).toMatchObject({
      found: [],
      sights: [{ hash: first, state: 'waiting', replacedBy: null }],
    })
    const second = await wallet.send({ to: contract, data, gwei: 9 })
    await anvil.mine()
    expect(await look()).toMatchObject({
      found: [{ id: one.id, transactionHash: second, confirmations: 1 }],
      sights: [{ hash: first, state: 'replaced', replacedBy: second }],
    })
  })

  it('is found in the one that has its nonce, in coins that a contract sends', async () => {
    const wallet = await aWallet()
    const one = aPayout(eth, 10n ** 17n)
    const data = payCall(one.address)
    const first = await wallet.send({ to: payer, value: one.amount, data })
    const look = await aSearch([first], one)
    await look()
    // Raised twice, and mined while nobody looked.
    await wallet.send({ to: payer, value: one.amount, data, gwei: 5 })
    const third = await wallet.send({ to: payer, value: one.amount, data, gwei: 9 })
    await anvil.mine(40)
    // The process that has seen the first one has stopped since.
    const again = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [eth, usdt] })
    expect(await look(again.services.rails.get('evm')?.payouts)).toMatchObject({
      found: [{ id: one.id, transactionHash: third }],
      sights: [{ hash: first, state: 'replaced', replacedBy: third }],
    })
    await again.close()
  })

  it('is said to be replaced where the wallet has sent something else', async () => {
    const wallet = await aWallet()
    const one = aPayout(eth, 10n ** 17n)
    const first = await wallet.send({ to: one.address, value: one.amount })
    const look = await aSearch([first], one)
    await look()
    const cancelled = await wallet.send({ to: wallet.address, gwei: 9 })
    await anvil.mine()
    expect(await look()).toMatchObject({
      found: [],
      sights: [{ hash: first, state: 'replaced', replacedBy: cancelled }],
    })
  })

  it('is never to be mined once its nonce is used, if nobody can say by what', async () => {
    const wallet = await aWallet()
    const one = aPayout(eth, 10n ** 17n)
    const first = await wallet.send({ to: one.address, value: one.amount })
    const look = await aSearch([first], one)
    await look()
    // A nonce can be used without a transaction of the account, by an authorisation (EIP-7702).
    await anvil.rpc('anvil_dropTransaction', [first])
    await anvil.rpc('anvil_setNonce', [wallet.address, '0x1'])
    await anvil.mine()
    expect((await look()).sights).toMatchObject([{ hash: first, state: 'waiting' }])
    await anvil.mine(DEEP)
    expect(await look()).toMatchObject({
      found: [],
      sights: [{ hash: first, state: 'replaced', replacedBy: null }],
    })
  })

  it('stays what it was found to be where a node drops receipts, transactions and states', async () => {
    const [ada, bob] = [await aWallet(), await aWallet()]
    const one = aPayout(eth, 10n ** 17n)
    const replaced = await ada.send({ to: one.address, value: one.amount })
    // A call that the token refuses.
    const data = transferCall(one.address, one.amount)
    const reverted = await bob.send({ to: usdt.contract ?? '', data })
    const look = await aSearch([replaced, reverted], one)
    await look()
    const other = await ada.send({ to: one.address, value: one.amount, gwei: 9 })
    await anvil.mine(2 * DEEP)
    const sights = [
      { hash: replaced, state: 'replaced', replacedBy: other },
      { hash: reverted, state: 'mined', replacedBy: null },
    ]
    expect((await look()).sights).toMatchObject(sights)
    const receipt = await anvil.rpc('eth_getTransactionReceipt', [reverted])
    expect(receipt).toMatchObject({ status: '0x0' })
    const proxy = await startRpcProxy(anvil.url)
    const head = await anvil.height()
    const pruned = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
    proxy.intercept = async (method, [, height], ask) => {
      if (pruned.includes(method)) return { result: null }
      const isOld = method === 'eth_getTransactionCount' && Number(height) < head - DEEP
      return isOld ? { error: { code: -32_000, message: 'missing trie node' } } : await ask()
    }
    const again = await startEvmApp({ nodes: { 1: proxy.url }, tokens: [eth, usdt] })
    expect((await look(again.services.rails.get('evm')?.payouts)).sights).toMatchObject(sights)
    await again.close()
    await proxy.stop()
  })

  it('is mined where it was mined after all', async () => {
    const wallet = await aWallet()
    const one = aPayout(eth, 10n ** 17n)
    const snapshot = await anvil.rpc('evm_snapshot')
    const first = await wallet.send({ to: one.address, value: one.amount })
    const look = await aSearch([first], one)
    await look()
    const second = await wallet.send({ to: one.address, value: one.amount, gwei: 9 })
    await anvil.mine()
    expect(await look()).toMatchObject({ found: [{ transactionHash: second }] })
    await anvil.rpc('evm_revert', [snapshot])
    expect(await wallet.send({ to: one.address, value: one.amount })).toBe(first)
    await anvil.mine(2)
    expect(await look()).toMatchObject({
      found: [{ transactionHash: first }],
      sights: [{ hash: first, state: 'mined', replacedBy: null }],
    })
  })

  it('is found in what another owner of the Safe has sent, in coins', async () => {
    const safe = getAddress(`0x${randomBytes(20).toString('hex')}`)
    await anvil.rpc('anvil_setCode', [safe, ONE_CALL_SAFE])
    await anvil.rpc('anvil_setBalance', [safe, '0x8ac7230489e80000'])
    const [ada, bob] = [await aWallet(), await aWallet()]
    const one = aPayout(eth, 10n ** 17n)
    const first = await ada.send({ to: safe, data: executeCall(one, '0x12'), gwei: 2 })
    const look = await aSearch([first], one)
    expect((await look()).sights).toMatchObject([{ hash: first, state: 'waiting' }])
    // The signatures may come in another order, so that the two calls are not the same.
    const second = await bob.send({ to: safe, data: executeCall(one, '0x21'), gwei: 9 })
    await anvil.rpc('anvil_dropTransaction', [first])
    await anvil.mine()
    const replaced = {
      found: [{ id: one.id, transactionHash: second }],
      sights: [{ hash: first, state: 'replaced', replacedBy: second }],
    }
    expect(await look()).toMatchObject(replaced)
    // If the first is mined too, it is reverted.
    await ada.send({ to: safe, data: executeCall(one, '0x12') })
    await anvil.mine()
    expect(await anvil.rpc('eth_getTransactionReceipt', [first])).toMatchObject({ status: '0x0' })
    expect(await look()).toMatchObject(replaced)
  })

  it('does not hide the other one, where two owners of a Safe have both paid', async () => {
    const safe = getAddress(`0x${randomBytes(20).toString('hex')}`)
    await anvil.rpc('anvil_setCode', [safe, ANY_CALL_SAFE])
    await anvil.rpc('anvil_setBalance', [safe, '0x8ac7230489e80000'])
    const [ada, bob] = [await aWallet(), await aWallet()]
    const one = aPayout(eth, 10n ** 17n)
    const first = await ada.send({ to: safe, data: executeCall(one, '0x12') })
    const look = await aSearch([first], one)
    await look()
    await anvil.rpc('anvil_dropTransaction', [first])
    const second = await bob.send({ to: safe, data: executeCall(one, '0x21') })
    await anvil.mine()
    expect(await look()).toMatchObject({ found: [{ transactionHash: second }] })
    await ada.send({ to: safe, data: executeCall(one, '0x12') })
    await anvil.mine()
    expect((await look()).sights).toMatchObject([
      { hash: first, state: 'mined', replacedBy: second },
    ])
  })
})

function payCall(address: string): string {
  const abi = parseAbi(['function pay(address[] to) payable'])
  return encodeFunctionData({ abi, args: [[address as Hex]] })
}

function executeCall({ address, amount }: Payout, signatures: Hex): string {
  const nobody = `0x${'0'.repeat(40)}` as const
  return encodeFunctionData({
    abi: safeAbi,
    args: [address as Hex, amount, '0x', 0, 0n, 0n, 0n, nobody, nobody, signatures],
  })
}
