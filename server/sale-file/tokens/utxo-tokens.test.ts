import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'

/** The faults of the small sale when it is paid in these coins. */
function faultsOf(...tokens: Record<string, string | number>[]): string[] {
  const lines = tokens.map((token, place) => {
    const fields = {
      id: `coin-${place}`,
      name: 'Coin',
      short_name: 'BTC',
      chain: 'Bitcoin',
      decimals: 8,
      min_amount_fiat: 10,
      ...token,
    }
    const pairs = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    return `  - { ${pairs.join(', ')}, payment_provider_ids: { utxo: x } }`
  })
  const before = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - id: eth'))
  const after = SMALL_SALE_FILE.slice(SMALL_SALE_FILE.indexOf('stages:'))
  const text = `${before}${lines.join('\n')}\n${after}`
  const firstAppliedAt = new Date('2026-01-01T00:00:00Z')
  const reading = readSaleText(text, { folder: tmpdir(), firstAppliedAt })
  return reading.ok
    ? []
    : reading.faults.map(({ path, line, message }) => `${path}: ${message} (${line})`)
}

const LTC = { short_name: 'LTC', chain: 'LTC' }
const LINE = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - id: eth')).split('\n').length

describe('a payment token of the rail utxo', () => {
  test('is the coin of one of three chains', () => {
    expect(faultsOf({}, LTC, { short_name: 'DOGE', chain: 'Dogecoin' })).toEqual([])
    expect(faultsOf({ chain: 'BTC' })).toEqual([])
  })

  test.each([
    [{ chain: 'ERC20' }, 'chain', 'expected BTC, LTC or DOGE, the chains that the rail utxo takes'],
    [{ chain: 'Bitcoin Cash' }, 'chain', 'expected BTC, LTC or DOGE'],
    [{ short_name: 'ETH' }, 'short_name', 'expected BTC, the coin of Bitcoin, found "ETH"'],
    [{ decimals: 18 }, 'decimals', 'expected 8, which BTC has, found "18"'],
    [{ chain_id: 1 }, 'chain_id', 'expected none, which Bitcoin has no use for, found "1"'],
    [
      { contract: `0x${'1'.repeat(40)}` },
      'contract',
      'expected none, since Bitcoin knows no contracts',
    ],
  ])('is nothing else: %j', (token, field, message) => {
    const [fault, ...others] = faultsOf(token)
    expect(fault).toContain(`payment_tokens[0].${field}: ${message}`)
    expect(fault).toMatch(new RegExp(`\\(${LINE}\\)$`))
    expect(others).toEqual([])
  })

  test('is on a chain of its own, by which its payments are known', () => {
    const [fault] = faultsOf(LTC, { ...LTC, chain: 'Litecoin' })
    expect(fault).toContain(
      'payment_tokens[1].chain: expected a chain that no other payment token of the rail utxo is on',
    )
  })
})

describe('a coin of a test network', () => {
  const signet = { network: 'signet' }

  test('must exist for the coin, and never be mixed with a real one', () => {
    expect(faultsOf(signet, { ...LTC, network: 'testnet' })).toEqual([])
    expect(faultsOf({ network: 'testnet4' })).toEqual([])
    expect(faultsOf({ network: 'testnet' })).toEqual([
      expect.stringContaining('[0].network: expected signet or testnet4, or none for real BTC'),
    ])
    expect(faultsOf({ network: 'regtest' })).toEqual([
      expect.stringContaining('payment_tokens[0].network: expected'),
    ])
    expect(faultsOf(signet, LTC)).toEqual([
      expect.stringContaining('[1].network: expected a test network, since coins of'),
    ])
    expect(faultsOf({}, { ...LTC, network: 'testnet' })).toEqual([
      expect.stringContaining('[1].network: expected no test network, since coins of'),
    ])
  })
})
