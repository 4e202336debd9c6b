import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Fault } from '#server/payments/variables.ts'
import { parseExtendedKey } from './extended-key.ts'

const rules = { name: 'EVM_XPUB', prefixes: ['xpub'], path: "m/44'/60'/0'" } as const

/** The seed of the mnemonic that development nodes share: "test test … junk". */
const development = HDKey.fromMasterSeed(
  Buffer.from(
    '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185' +
      'd564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0',
    'hex',
  ),
)

function expectKey(text: string) {
  const key = parseExtendedKey(text, rules)
  if (key instanceof Fault) throw new Error(key.expected)
  return key
}

function faultOf(text: string): string {
  const fault = parseExtendedKey(text, rules)
  expect(fault).toBeInstanceOf(Fault)
  const { expected } = fault as Fault
  expect(expected).not.toContain(text.slice(4, 30))
  return expected
}

describe('an extended public key', () => {
  test('derives the public keys of BIP-32', () => {
    // Test vector 1, its chain m/0H/1/2H/2/1000000000, read from the third step on.
    const account = HDKey.fromExtendedKey(
      'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
    )
    expect(account.depth).toBe(3)
    const key = expectKey(account.publicExtendedKey)
    const derived = HDKey.fromExtendedKey(
      'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
    )
    expect(Buffer.from(key.publicKeyAt(2, 1_000_000_000))).toEqual(
      Buffer.from(derived.publicKey ?? []),
    )
  })

  test('has a fingerprint of its own, however it is written', () => {
    const account = development.derive("m/44'/60'/0'")
    const { fingerprint } = expectKey(account.publicExtendedKey)
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
    expect(expectKey(` ${account.publicExtendedKey}\n`).fingerprint).toBe(fingerprint)
    const other = development.derive("m/44'/60'/1'")
    expect(expectKey(other.publicExtendedKey).fingerprint).not.toBe(fingerprint)
  })

  test('is refused where it is a private one, and never repeated', () => {
    const message = faultOf(development.derive("m/44'/60'/0'").privateExtendedKey)
    expect(message).toContain('PRIVATE')
  })

  test.each([
    ['other words', 'neither a key nor anything like one'],
    ['a letter wrong', development.derive("m/44'/60'/0'").publicExtendedKey.replace(/.$/, '1')],
    ['a letter missing', development.derive("m/44'/60'/0'").publicExtendedKey.slice(0, -1)],
    ['a letter that is none of base58', `xpub0${'1'.repeat(106)}`],
  ])('is refused with %s', (_, text) => {
    expect(faultOf(text)).toContain('a letter of it is wrong')
  })

  test('is refused from another network', () => {
    expect(faultOf(withVersion(0x04_35_87_cf))).toContain('this is a tpub')
    expect(faultOf(withVersion(0x04_b2_47_46))).toContain('this is a zpub')
    expect(faultOf(withVersion(0x01_02_03_04))).toContain('unknown network')
  })

  test.each(["m/44'/60'", "m/44'/60'/0'/0", 'm/44/60/0'])(
    'is refused from %s, since other addresses would follow',
    (path) => {
      expect(faultOf(development.derive(path).publicExtendedKey)).toContain("m/44'/60'/0'")
    },
  )
})

/** The development account with other version bytes and a valid checksum. */
function withVersion(version: number): string {
  const check = createBase58check((bytes: Uint8Array) =>
    createHash('sha256').update(bytes).digest(),
  )
  const bytes = Buffer.from(check.decode(development.derive("m/44'/60'/0'").publicExtendedKey))
  bytes.writeUInt32BE(version)
  return check.encode(bytes)
}
