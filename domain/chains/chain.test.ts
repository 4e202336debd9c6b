import { describe, expect, test } from 'vitest'
import { chainNames, networkName, normalizeChain, paymentUri } from './chain.ts'
import { cryptoAmount } from '#domain/money.ts'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'

describe('normalizeChain', () => {
  test.each([
    ['ERC20', 'ERC20'],
    ['ERC-20', 'ERC20'],
    ['ETH', 'ERC20'],
    ['ETHEREUM', 'ERC20'],
    ['Ethereum', 'ERC20'],
    ['BSC', 'BSC'],
    ['Binance Smart Chain', 'BSC'],
    ['BEP20', 'BSC'],
    ['BEP-20', 'BSC'],
    ['BTC', 'BTC'],
    ['Bitcoin', 'BTC'],
    [' bitcoin ', 'BTC'],
    ['Polygon', 'Polygon'],
    ['Litecoin', 'Litecoin'],
    ['Bitcoin Cash', 'Bitcoin Cash'],
    ['BNB Smart Chain', 'BNB Smart Chain'],
  ])('%j is %s', (name, normal) => expect(normalizeChain(name)).toBe(normal))
})

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const usdtContract = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const ofBitcoin = { symbol: 'BTC', decimals: 8, chainId: null, contract: null }
const usdt = { symbol: 'USDT', decimals: 6 }
const bare = { chainId: null, contract: null }
const avalanche = { ...bare, chain: 'Avalanche', chainId: 43_114 }

describe('paymentUri', () => {
  test.each([
    {
      name: 'Bitcoin, in whole coins',
      paymentToken: { ...ofBitcoin, chain: 'BTC' },
      amount: 1_234_500n,
      uri: `bitcoin:${address}?amount=0.012345`,
    },
    {
      name: 'Litecoin',
      paymentToken: { ...ofBitcoin, chain: 'Litecoin', symbol: 'LTC' },
      amount: 100_000_000n,
      uri: `litecoin:${address}?amount=1`,
    },
    {
      name: 'Litecoin by its symbol',
      paymentToken: { ...ofBitcoin, chain: 'LTC', symbol: 'LTC' },
      amount: 1n,
      uri: `litecoin:${address}?amount=0.00000001`,
    },
    {
      name: 'Dogecoin',
      paymentToken: { ...ofBitcoin, chain: 'dogecoin', symbol: 'DOGE' },
      amount: 5n * 10n ** 12n,
      uri: `dogecoin:${address}?amount=50000`,
    },
    {
      name: 'ether',
      paymentToken: {},
      amount: 5n * 10n ** 17n,
      uri: `ethereum:${address}@1?value=500000000000000000`,
    },
    {
      name: 'ether on a test network',
      paymentToken: { chainId: 11_155_111 },
      amount: 1n,
      uri: `ethereum:${address}@11155111?value=1`,
    },
    {
      name: 'BNB, whose chain id everybody knows',
      paymentToken: { ...bare, chain: 'BSC', symbol: 'BNB' },
      amount: 7n,
      uri: `ethereum:${address}@56?value=7`,
    },
    {
      name: 'MATIC',
      paymentToken: { ...bare, chain: 'Polygon', symbol: 'MATIC' },
      amount: 7n,
      uri: `ethereum:${address}@137?value=7`,
    },
    {
      name: 'a token by its contract',
      paymentToken: { ...usdt, contract: usdtContract },
      amount: 25_000_000n,
      uri: `ethereum:${usdtContract}@1/transfer?address=${address}&uint256=25000000`,
    },
    {
      name: 'a token whose contract is not known: no amount, or ether would be sent',
      paymentToken: { ...usdt, ...bare },
      amount: 25_000_000n,
      uri: `ethereum:${address}@1`,
    },
    {
      name: 'the coin of another EVM chain',
      paymentToken: { ...avalanche, symbol: 'AVAX', rail: 'evm' as const },
      amount: 7n,
      uri: `ethereum:${address}@43114?value=7`,
    },
    {
      name: 'a gateway’s token without a contract on such a chain: it need not be its coin',
      paymentToken: { ...avalanche, symbol: 'DAI', rail: 'nowpayments' as const },
      amount: 10n ** 19n,
      uri: `ethereum:${address}@43114`,
    },
    {
      name: 'a chain that is not known at all',
      paymentToken: { ...bare, chain: 'Solana', symbol: 'SOL' },
      amount: 7n,
      uri: `ethereum:${address}`,
    },
  ])('$name', ({ paymentToken, amount, uri }) => {
    const payment = { address, amount: cryptoAmount(amount) }

    expect(paymentUri({ ...payment, paymentToken: aPaymentToken(paymentToken) })).toBe(uri)
  })
})

test.each([
  ['ETH', 'Ethereum (ERC20)'],
  ['BEP20', 'BNB Smart Chain (BSC)'],
  ['BTC', 'Bitcoin'],
  ['Polygon', 'Polygon'],
  ['LTC', 'Litecoin'],
  ['Solana', 'Solana'],
])('the network of %s is called %s', (chain, name) => {
  expect(networkName({ chain })).toBe(name)
})

test('is looked for by its own name, that of its network and each spelling', () => {
  expect(chainNames('BSC')).toEqual(
    expect.arrayContaining(['BSC', 'BNB Smart Chain (BSC)', 'bep-20', 'binance smart chain']),
  )
  expect(chainNames('Tron')).toEqual(['Tron', 'Tron'])
})
