import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { GatewayName } from '#domain/sale/sale.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { isDoubtfulCode } from './gateway-codes.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'

type Coded = [symbol: string, chain: string, gateway: string, code: string, more?: string]

/** The faults of the small sale when it is paid in these coins through gateways. */
function faultsOf(...tokens: Coded[]): string[] {
  const lines = tokens.map(
    ([symbol, chain, gateway, code, more = ''], index) =>
      `  - { id: t${index}, name: Coin, short_name: ${symbol}, chain: ${chain}, decimals: 8, ` +
      `min_amount_fiat: 10, payment_provider_ids: { ${gateway}: ${code} }${more} }`,
  )
  const before = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - id: eth'))
  const after = SMALL_SALE_FILE.slice(SMALL_SALE_FILE.indexOf('stages:'))
  const context = { folder: tmpdir(), firstAppliedAt: new Date('2026-01-01T00:00:00Z') }
  const reading = readSaleText(`${before}${lines.join('\n')}\n${after}`, context)
  return reading.ok ? [] : reading.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('the code of a payment token at a gateway', () => {
  test.each([
    ['BTC', 'BTC', 'btc'],
    ['LTC', 'LTC', 'ltc'],
    ['DOGE', 'DOGE', 'doge'],
    ['XMR', 'Monero', 'xmr'],
    ['TRX', 'Tron', 'trx'],
    ['ETH', 'ETH', 'eth'],
    ['ETH', 'Base', 'ethbase'],
    ['BNB', 'BSC', 'bnbbsc'],
    ['BNB', 'BEP20', 'bnbmainnet'],
    ['MATIC', 'Polygon', 'maticmainnet'],
    ['POL', 'Polygon', 'maticmainnet'],
    ['USDT', 'ERC20', 'usdterc20'],
    ['USDT', 'Tron', 'USDTTRC20'],
    ['USD₮', 'Tron', 'usdttrc20'],
    ['USDC', 'Polygon', 'usdcmatic'],
    ['USDC', 'Polygon', 'maticusdce'],
    ['USDC.e', 'Polygon', 'usdcmatic'],
    ['USDC', 'BNB Smart Chain, chain_id: 56', 'usdcbsc'],
    ['DAI', 'ERC20', 'dai'],
    ['SHIB', 'ERC20', 'shib'],
    ['ETHW', 'EthereumPoW', 'ethw'],
    ['HUH', 'BSC', 'hubsc'],
    ['BITCOIN', 'BTC', 'btc'],
    ['TETHER', 'Tron', 'usdttrc20'],
    ['TRON', 'Tron', 'trx'],
    ['WPOL', 'Polygon', 'pol'],
  ])('is accepted for %s on %s as %s', (symbol, chain, code) => {
    expect(faultsOf([symbol, chain, 'nowpayments', code])).toEqual([])
  })

  test.each([
    ['BTC', 'BTC', 'BTC'],
    ['BTC', 'Bitcoin', 'BTC-CHAIN'],
    ['BTC', 'Liquid', 'LBTC'],
    ['XMR', 'Monero', 'XMR-CHAIN'],
    ['USDT', 'Tron', 'USDT-TRON'],
  ])('is accepted for %s on %s as the payment method %s', (symbol, chain, code) => {
    expect(faultsOf([symbol, chain, 'btcpay', code])).toEqual([])
  })

  test('is not that of another coin', () => {
    expect(faultsOf(['BNB', 'BSC', 'nowpayments', 'xmr'])).toEqual([
      'payment_tokens[0].payment_provider_ids.nowpayments: expected a code of BNB, not of another coin, found "xmr"',
    ])
    expect(faultsOf(['LTC', 'LTC', 'btcpay', 'BTC-CHAIN'])).toEqual([
      'payment_tokens[0].payment_provider_ids.btcpay: expected a code of LTC, not of another coin, found "BTC-CHAIN"',
    ])
    expect(faultsOf(['MATIC', 'Polygon', 'nowpayments', 'usdcmatic'])).toHaveLength(1)
  })

  test('is not on another network than buyers are told', () => {
    expect(faultsOf(['USDC', 'ERC20', 'nowpayments', 'usdcbsc'])).toEqual([
      'payment_tokens[0].payment_provider_ids.nowpayments: expected a code of USDC on ERC20, not of another network, found "usdcbsc"',
    ])
    expect(faultsOf(['USDT', 'BSC', 'nowpayments', 'usdttrc20'])).toHaveLength(1)
    for (const network of ['arc20', 'kava', 'xlm', 'dot', 'eos', 'xtz', 'kcc']) {
      expect(faultsOf(['USDC', 'ERC20', 'nowpayments', `usdc${network}`])).toHaveLength(1)
    }
    expect(faultsOf(['BTC', 'BTC', 'nowpayments', 'btcbsc'])).toHaveLength(1)
  })

  test('is not that of another payment token, which gateways tell apart by it', () => {
    const huh: Coded = ['HUH', 'BSC', 'nowpayments', 'huhbsc']
    const pear: Coded = ['PEAR', 'BSC', 'nowpayments', 'HUHBSC']
    const fault =
      'payment_tokens[1].payment_provider_ids.nowpayments: expected another code than that of HUH on BSC above, found "HUHBSC"'
    expect(faultsOf(huh, pear)).toEqual([fault])
    expect(faultsOf(huh, ['HUH', 'BEP20', 'nowpayments', 'huhbsc'])).toEqual([])
  })

  test('stays as it is where the payment token is not enabled, as one that has replaced it is', () => {
    const wrong: Coded = ['BNB', 'BSC', 'nowpayments', 'xmr', ', enabled: false']
    expect(faultsOf(wrong, ['XMR', 'Monero', 'nowpayments', 'xmr'])).toEqual([])
  })
})

test.each<[boolean, GatewayName, string, string]>([
  [true, 'nowpayments', 'hubsc', 'HUH'],
  [true, 'btcpay', 'BTC-CHAIN', 'WBTC'],
  [true, 'nowpayments', 'btc', 'BITCOIN'],
  [true, 'nowpayments', 'usdttrc20', 'TETHER'],
  [true, 'nowpayments', 'usdtbsc', 'BSC'],
  [false, 'nowpayments', 'maticusdce', 'USDC.e'],
  [false, 'nowpayments', 'maticmainnet', 'POL'],
  [false, 'nowpayments', 'usdttrc20', 'USD₮'],
  [false, 'btcpay', 'LBTC', 'BTC'],
])('it is %s that somebody has to look again at %s code %s of %s', (isDoubtful, ...code) => {
  expect(isDoubtfulCode(...code)).toBe(isDoubtful)
})
