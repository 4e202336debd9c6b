import { HDKey } from '@scure/bip32'
import { pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { deriveEvmAddress } from './derive-address.ts'

/** An account's key from a wallet's words (BIP-39, without a passphrase). */
function accountOf(words: string): ExtendedKey {
  const seed = pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512')
  const account = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'")
  const rules = { name: 'EVM_XPUB', prefixes: ['xpub'], path: "m/44'/60'/0'" } as const
  return parseExtendedKey(account.publicExtendedKey, rules) as ExtendedKey
}

describe('an address of an EVM wallet', () => {
  test.each([
    [0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    [2, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
    [9, '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'],
  ])('is the one that development nodes know, at index %i', (index, address) => {
    const account = accountOf('test test test test test test test test test test test junk')
    expect(deriveEvmAddress(account, index)).toBe(address)
  })

  test('is the one of the words that BIP-39 begins with', () => {
    const account = accountOf(`${'abandon '.repeat(11)}about`)
    expect(deriveEvmAddress(account, 0)).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
  })
})
