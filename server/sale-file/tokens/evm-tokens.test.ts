import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** The faults of the small sale when it is paid in these tokens on EVM chains. */
function faultsOf(...tokens: Record<string, string | number | boolean>[]): string[] {
  const lines = tokens.map((token, place) => {
    const fields = {
      id: `token-${place}`,
      name: 'Ether',
      short_name: 'ETH',
      chain: 'ETH',
      chain_id: 1,
      decimals: 18,
      min_amount_fiat: 10,
      ...token,
    }
    const pairs = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    return `  - { ${pairs.join(', ')}, payment_provider_ids: { evm: x } }`
  })
  const before = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - id: eth'))
  const after = SMALL_SALE_FILE.slice(SMALL_SALE_FILE.indexOf('stages:'))
  const text = `${before}${lines.join('\n')}\n${after}`
  const firstAppliedAt = new Date('2026-01-01T00:00:00Z')
  const reading = readSaleText(text, { folder: tmpdir(), firstAppliedAt })
  return reading.ok ? [] : reading.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('a payment token on an EVM chain', () => {
  test('is a chain’s coin, or a token by its contract', () => {
    const usdt = { short_name: 'USDT', decimals: 6, contract: USDT }
    const onBsc = { ...usdt, decimals: 18, chain: 'BSC', chain_id: 56 }
    const elsewhere = { short_name: 'XYZ', chain: 'Elsewhere', chain_id: 4_242 }
    expect(faultsOf({}, usdt, onBsc, elsewhere)).toEqual([])
    expect(faultsOf({ ...usdt, contract: USDT.toLowerCase() })).toEqual([])
  })

  test('is never taken for the chain’s coin because its contract was forgotten', () => {
    expect(faultsOf({ short_name: 'USDT' })).toEqual([
      'payment_tokens[0].contract: expected the contract of USDT (or enabled: false): the coin of ETH itself is ETH, found nothing',
    ])
    expect(faultsOf({ chain: 'Sepolia', chain_id: 11_155_111, decimals: 6 })).toEqual([
      'payment_tokens[0].decimals: expected 18, which the coin of every EVM chain has, found "6"',
    ])
  })

  test.each([
    ['BNB Smart Chain', 56, 'BNB'],
    ['Ethereum Mainnet', 1, 'ETH'],
    ['Polygon PoS', 137, 'MATIC or POL'],
  ])('is known by the id of its chain where that is called %s', (chain, chain_id, coin) => {
    expect(faultsOf({ chain, chain_id, short_name: coin.slice(0, 5).trim() })).toEqual([])
    expect(faultsOf({ chain, chain_id, short_name: 'USDT' })).toEqual([
      `payment_tokens[0].contract: expected the contract of USDT (or enabled: false): the coin of ${chain} itself is ${coin}, found nothing`,
    ])
  })

  test('is the chain’s coin without the contract through which that is a token too', () => {
    const celo = { short_name: 'CELO', chain: 'Celo', chain_id: 42_220 }
    const contract = '0x471EcE3750Da237f93B8E339c536989b8978a438'
    expect(faultsOf(celo)).toEqual([])
    expect(faultsOf({ ...celo, contract })).toEqual([
      `payment_tokens[0].contract: expected none, since this one is the coin of the chain itself, found "${contract}"`,
    ])
    expect(faultsOf({ ...celo, chain_id: 4_242, contract })).toEqual([])
  })

  test('is on the chain that buyers are told', () => {
    expect(faultsOf({ chain: 'BSC', short_name: 'BNB', chain_id: 1 })).toEqual([
      'payment_tokens[0].chain_id: expected 56, the id of the chain BSC (or enabled: false), found "1"',
    ])
    expect(faultsOf({ chain: 'BNB Smart Chain', short_name: 'BNB', chain_id: 1 })).toEqual([
      'payment_tokens[0].chain_id: expected 56, the id of the chain BNB Smart Chain (or enabled: false), found "1"',
    ])
  })

  test('keeps the symbol and chain with which it was used where it is not enabled', () => {
    const forgotten = { chain: 'BNB Smart Chain', short_name: 'USDT', chain_id: 56 }
    expect(faultsOf(forgotten, {})).not.toEqual([])
    expect(faultsOf({ ...forgotten, enabled: false }, {})).toEqual([])
    expect(faultsOf({ ...forgotten, chain_id: 42, enabled: false }, {})).toEqual([])
    expect(faultsOf({ ...forgotten, decimals: 6, enabled: false }, {})).toEqual([
      'payment_tokens[0].decimals: expected 18, which the coin of every EVM chain has, found "6"',
    ])
  })

  test.each([
    ['BNB Smart Chain', 97, 'tBNB'],
    ['Ethereum', 11_155_111, 'ETH'],
    ['Polygon', 80_002, 'POL'],
  ])('may be on the test network of %s', (chain, chain_id, short_name) => {
    expect(faultsOf({ chain, chain_id, short_name })).toEqual([])
  })

  test('has a contract without a mistyped letter', () => {
    const [fault] = faultsOf({ short_name: 'USDT', decimals: 6, contract: USDT.replace('d', 'D') })
    expect(fault).toContain('each letter in its right case')
  })

  test('is not a second one under another name', () => {
    const usdt = { short_name: 'USDT', decimals: 6, contract: USDT }
    expect(faultsOf(usdt, { ...usdt, contract: USDT.toLowerCase() })).toEqual([
      expect.stringContaining('payment_tokens[1].contract: expected a contract of its own'),
    ])
    expect(faultsOf({}, {})).toEqual([
      expect.stringContaining('payment_tokens[1].contract: expected another coin for each chain'),
    ])
  })
})

describe('where a price comes from', () => {
  test('is the feeds, the seller’s own feed, or the sale file', () => {
    const huh = { short_name: 'HUH', contract: USDT, decimals: 6 }
    expect(faultsOf({ price_from: 'feeds' }, { ...huh, price_from: 'own' })).toEqual([])
    expect(faultsOf({ ...huh, price_from: 'fixed', fixed_price: '0.012' })).toEqual([])
    expect(faultsOf({ ...huh, price_from: 'fixed' })).toEqual([
      expect.stringContaining('payment_tokens[0].fixed_price: expected'),
    ])
    expect(faultsOf({ price_from: 'me' })).toEqual([
      expect.stringContaining('payment_tokens[0].price_from: expected'),
    ])
  })

  test('is the same for a coin on two chains', () => {
    const usdt = { short_name: 'USDT', decimals: 6, contract: USDT }
    const onBsc = { ...usdt, decimals: 18, chain: 'BSC', chain_id: 56, price_from: 'own' }
    expect(faultsOf(usdt, onBsc)).toEqual([
      'payment_tokens[1].price_from: expected feeds, as USDT has it above, found "own"',
    ])
  })
})

describe('coins of test networks', () => {
  const sepolia = { short_name: 'XYZ', chain: 'Sepolia', chain_id: 11_155_111 }

  test('are never taken beside real ones', () => {
    expect(faultsOf(sepolia, { ...sepolia, chain: 'Hoodi', chain_id: 560_048 })).toEqual([])
    expect(faultsOf(sepolia, {})).toEqual([
      expect.stringContaining('payment_tokens[1].network: expected a test network, since coins of'),
    ])
    expect(faultsOf({}, sepolia)).toEqual([
      expect.stringContaining('payment_tokens[1].network: expected no test network, since coins'),
    ])
  })
})
