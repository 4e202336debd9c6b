import { expect, test } from 'vitest'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { readEvmAddress } from './read-address.ts'

/** Of EIP-55. */
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const tokens = [aPaymentToken(), aPaymentToken({ id: 'usdt', symbol: 'USDT', contract: CONTRACT })]

test.each([ADDRESS, ` ${ADDRESS} `, ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`])(
  '%j is written with its checksum',
  async (text) => {
    expect(await readEvmAddress(text, tokens)).toEqual({ address: ADDRESS })
  },
)

test.each([
  [`0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`, 'form', /letter of this address is wrong/],
  [ADDRESS.slice(0, -1), 'form', /not an address/],
  ['', 'form', /not an address/],
  [`0x${'0'.repeat(40)}`, 'nobody', /what is sent there is lost/],
  [`0x${'1'.padStart(40, '0')}`, 'nobody', /what is sent there is lost/],
  [`0x${'100'.padStart(40, '0')}`, 'nobody', /what is sent there is lost/],
  ['0x000000000000000000000000000000000000dEaD', 'nobody', /what is sent there is lost/],
  ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'nobody', /what is sent there is lost/],
  [CONTRACT.toLowerCase(), 'contract', /contract of USDT/],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'network', /Bitcoin/],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'network', /Tron/],
  [`0x${'ab'.repeat(32)}`, 'secret', /private key/],
  ['vitalik.eth', 'name', /a name/],
  [`eth:${ADDRESS}`, 'name', /name of a network/],
] as const)('%j is none, by %s: %s', async (text, why, fault) => {
  expect(await readEvmAddress(text, tokens)).toEqual({ why, fault: expect.stringMatching(fault) })
})
