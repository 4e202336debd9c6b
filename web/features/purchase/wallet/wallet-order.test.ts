import { decodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { walletOrder, walletTransaction } from './wallet-order.ts'

const PAID_TO = '0x52908400098527886E0F7030069857D2E4169EE7'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** 1.5 ETH on a real chain. */
function aPurchase(change: Partial<Transaction> = {}): Transaction {
  return aWireTransaction({
    payment_token: aTokenOf(18),
    payment_address: PAID_TO,
    payment_amount: '1.500000000000000001',
    payment_uri: `ethereum:${PAID_TO}@1?value=1500000000000000001`,
    ...change,
  })
}

function aTokenOf(decimals: number, rail = 'evm'): Transaction['payment_token'] {
  const token = aWireTransaction().payment_token
  return token && { ...token, decimals, payment_provider_ids: { [rail]: 'eth' } }
}

/** 12.34 USDT. */
const aTokenPurchase = () =>
  aPurchase({
    payment_token: aTokenOf(6),
    payment_amount: '12.34',
    payment_uri: `ethereum:${USDT}@1/transfer?address=${PAID_TO}&uint256=12340000`,
  })

it('sends coins as a whole number in base units', () => {
  const order = walletOrder(aPurchase())
  expect(order).toEqual({
    chainId: 1,
    recipient: PAID_TO,
    contract: null,
    amount: 1_500_000_000_000_000_001n,
  })
  expect(order && walletTransaction(order, '0xme')).toEqual({
    from: '0xme',
    to: PAID_TO,
    chainId: '0x1',
    value: `0x${1_500_000_000_000_000_001n.toString(16)}`,
  })
})

it('sends tokens by a call of their contract, and no coins', () => {
  const order = walletOrder(aTokenPurchase())
  const { data, ...rest } = (order && walletTransaction(order, '0xme')) ?? {}
  expect(rest).toEqual({ from: '0xme', to: USDT, chainId: '0x1', value: '0x0' })
  expect(decodeFunctionData({ abi: erc20Abi, data: data as `0x${string}` })).toEqual({
    functionName: 'transfer',
    args: [PAID_TO, 12_340_000n],
  })
})

it.each<[string, Partial<Transaction>]>([
  ['a sandbox', { payment_token: aTokenOf(18, 'sandbox') }],
  ['completed', { status: 'completed' }],
  ['expired', { status: 'expired' }],
  ['seen already', { status: 'processing' }],
  ['paid in full', { payment_amount: '0', payment_uri: null }],
  ['a reward', { type: 'referral' }],
  ['of bitcoin', { payment_uri: 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1.5' }],
  ['of litecoin', { payment_uri: `litecoin:${PAID_TO}?amount=1.5` }],
  ['of dogecoin', { payment_uri: `dogecoin:${PAID_TO}?amount=1.5` }],
  ['without an amount in its link', { payment_uri: `ethereum:${PAID_TO}@1` }],
  ['without a chain in its link', { payment_uri: `ethereum:${PAID_TO}?value=1500000000000000001` }],
  ['of another amount in its link', { payment_amount: '1.5' }],
  ['of another address in its link', { payment_address: USDT }],
  ['of a sandbox address', { payment_uri: 'ethereum:sandbox-eth-1@1?value=1500000000000000001' }],
])('asks no wallet for a purchase that is %s', (_, change) => {
  expect(walletOrder(aPurchase(change))).toBeNull()
})
