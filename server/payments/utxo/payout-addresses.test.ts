import { Address } from '@scure/btc-signer'
import type { BTC_NETWORK } from '@scure/btc-signer/utils.js'
import { describe, expect, test } from 'vitest'
import { type Coin, coins } from './coins.ts'
import { decodeAddress, dustOf, readUtxoAddress } from './payout-addresses.ts'

const named = (symbol: Coin['symbol']): Coin => {
  const coin = coins.find((each) => each.symbol === symbol)
  if (coin === undefined) throw new Error(`There is no coin ${symbol}.`)
  return coin
}
const [btc, ltc, doge] = [named('BTC'), named('LTC'), named('DOGE')]
const hash = Uint8Array.from({ length: 20 }, (_, nth) => nth + 1)
const on = (network: BTC_NETWORK, type: 'pkh' | 'sh' | 'wpkh') =>
  Address(network).encode({ type, hash })
const testnet: BTC_NETWORK = { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

/** Of BIP 173, BIP 350 and the coins' own documents. */
const P2PKH = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
const P2SH = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'
const P2WPKH = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const P2WSH = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const P2TR = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'

describe('an address of Bitcoin', () => {
  test.each([P2PKH, P2SH, P2WPKH, P2WSH, P2TR])('%s is taken', (address) => {
    expect(readUtxoAddress(btc, ` ${address}\n`)).toEqual({ address })
  })

  test('in upper case it is written as usual', () => {
    expect(readUtxoAddress(btc, P2WPKH.toUpperCase())).toEqual({ address: P2WPKH })
  })

  test.each([
    ['', /not an address/],
    [`${P2PKH.slice(0, -1)}3`, /a letter of it is wrong/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4', /a letter of it is wrong/],
    // Version 1 with the checksum of version 0 (BIP 350).
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', /a letter of it is wrong/],
    // Anybody can spend from it (BIP 433).
    ['bc1pfeessrawgf', /not an address that can be paid/],
    [Address(btc.network).encode({ type: 'pkh', hash: new Uint8Array(20) }), /not an address/],
    [on(ltc.network, 'wpkh'), /Litecoin\. Enter an address of Bitcoin/],
    [on(doge.network, 'pkh'), /Dogecoin/],
    [on(testnet, 'wpkh'), /Bitcoin’s test network/],
    [on(testnet, 'pkh'), /Bitcoin’s test network/],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /Ethereum/],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', /Tron/],
    ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', /Bitcoin Cash/],
    ['vitalik.eth', /a name/],
    ['f'.repeat(64), /private key/],
    [`bitcoin:${P2WPKH}`, /payment link/],
    ['=1+1', /not an address/],
  ])('%j is none: %s', (text, fault) => {
    expect(readUtxoAddress(btc, text)).toMatchObject({ fault: expect.stringMatching(fault) })
  })
})

describe('an address of Litecoin', () => {
  test('begins with L, M or ltc1', () => {
    for (const type of ['pkh', 'sh', 'wpkh'] as const) {
      const address = on(ltc.network, type)
      expect(address).toMatch(/^(L|M|ltc1)/)
      expect(readUtxoAddress(ltc, address)).toEqual({ address })
    }
  })

  test('of a script in its former form is written in today’s', () => {
    const former = on({ ...ltc.network, scriptHash: 0x05 }, 'sh')
    expect(former).toMatch(/^3/)
    expect(readUtxoAddress(ltc, former)).toEqual({ address: on(ltc.network, 'sh') })
  })

  test('of the extension blocks is refused with a sentence', () => {
    const mweb = `ltcmweb1qq${'q'.repeat(100)}`
    expect(readUtxoAddress(ltc, mweb)).toEqual({
      why: 'network',
      fault: expect.stringContaining('MWEB'),
    })
  })

  test('is not one of Bitcoin’s', () => {
    const refused = { why: 'network', fault: expect.stringContaining('Bitcoin') }
    expect(readUtxoAddress(ltc, P2WPKH)).toEqual(refused)
    expect(readUtxoAddress(ltc, P2PKH)).toEqual(refused)
  })
})

test('an address of Dogecoin begins with D, A or 9, and has no SegWit', () => {
  for (const type of ['pkh', 'sh'] as const) {
    const address = on(doge.network, type)
    expect(address).toMatch(/^[DA9]/)
    expect(readUtxoAddress(doge, address)).toEqual({ address })
  }
  expect(readUtxoAddress(doge, on(doge.network, 'wpkh'))).toHaveProperty('fault')
  expect(readUtxoAddress(doge, on(ltc.network, 'pkh'))).toEqual({
    why: 'network',
    fault: expect.stringContaining('Litecoin'),
  })
})

test('what nodes call dust depends on what spending it takes', () => {
  expect([P2PKH, P2SH, P2WPKH, P2WSH, P2TR].map((each) => dustOf(btc, each))).toEqual([
    546n,
    540n,
    294n,
    330n,
    330n,
  ])
  expect(dustOf(btc)).toBe(546n)
  expect(dustOf(ltc)).toBe(5_460n)
  expect(dustOf(doge)).toBe(1_000_000n)
})

test('a script is what a node makes of the address', () => {
  expect(decodeAddress(btc, P2WPKH)?.script).toBe('0014751e76e8199196d454941c45d1b3a323f1433bd6')
})
