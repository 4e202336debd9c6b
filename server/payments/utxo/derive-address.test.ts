import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { createHash, pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { Fault } from '#server/payments/variables.ts'
import { type Coin, coins } from './coins.ts'
import { deriveUtxoAddress, scriptOf } from './derive-address.ts'

/** The words of BIP-84's own vectors, and their key of the first account. */
const WORDS = `${'abandon '.repeat(11)}about`
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

const coinNamed = (symbol: string): Coin => {
  const coin = coins.find((each) => each.symbol === symbol)
  if (coin === undefined) throw new Error(symbol)
  return coin
}

const read = ({ symbol: name, prefixes, path }: Coin, text: string) =>
  parseExtendedKey(text, { name, prefixes, path })

function accountOf(coin: Coin): string {
  const seed = pbkdf2Sync(WORDS, 'mnemonic', 2048, 64, 'sha512')
  return HDKey.fromMasterSeed(seed).derive(coin.path).publicExtendedKey
}

/** The same key with other version bytes. */
function withVersion(text: string, version: number): string {
  const coder = createBase58check((bytes: Uint8Array) =>
    createHash('sha256').update(bytes).digest(),
  )
  const bytes = coder.decode(text)
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, version)
  return coder.encode(bytes)
}

describe('an address of the Bitcoin family', () => {
  test('is that of BIP-84, whichever way the key is written', () => {
    const bitcoin = coinNamed('BTC')
    const own = accountOf(bitcoin)
    for (const text of [ZPUB, own]) {
      const key = read(bitcoin, text) as ExtendedKey
      expect([0, 1].map((index) => deriveUtxoAddress(bitcoin, key, index))).toEqual([
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
      ])
    }
  })

  test.each([
    ['LTC', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
    ['DOGE', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
  ])('of %s is the one that wallets show first for the same words', (symbol, address) => {
    const coin = coinNamed(symbol)
    expect(deriveUtxoAddress(coin, read(coin, accountOf(coin)) as ExtendedKey, 0)).toBe(address)
  })

  test('stands for the hash of a public key, in the form that the coin has', () => {
    expect(scriptOf(coinNamed('BTC'), 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')).toBe(
      '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2',
    )
    const script = scriptOf(coinNamed('DOGE'), 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC')
    expect(script).toMatch(/^76a914[0-9a-f]{40}88ac$/)
  })

  test('is derived from no key of another kind of wallet', () => {
    const [ypub, dgub, zpub] = [0x04_9d_7c_b2, 0x02_fa_ca_fd, 0x04_b2_47_46] as const
    const refused: [string, number][] = [
      ['BTC', ypub],
      ['BTC', dgub],
      ['LTC', ypub],
      ['DOGE', zpub],
    ]
    for (const [symbol, version] of refused) {
      const coin = coinNamed(symbol)
      expect(read(coin, withVersion(accountOf(coin), version))).toBeInstanceOf(Fault)
    }
    const dogecoin = coinNamed('DOGE')
    expect(read(dogecoin, withVersion(accountOf(dogecoin), dgub))).not.toBeInstanceOf(Fault)
  })
})
