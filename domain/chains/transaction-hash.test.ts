import { expect, test } from 'vitest'
import { readTransactionHash } from './transaction-hash.ts'
import type { RailName } from '#domain/sale/sale.ts'

const digits = 'ab'.repeat(32)
const evm = { chain: 'ERC20', chainId: 1 }
const unnamedEvm = { chain: 'Some L2', chainId: 4242 }
const namedEvm = { chain: 'BSC', chainId: null }
const bitcoin = { chain: 'BTC', chainId: null }
const dogecoin = { chain: 'Dogecoin', chainId: null }
const unknown = { chain: 'Tron', chainId: null }

const read = (text: string, rail: RailName, paymentToken: typeof evm | typeof bitcoin) =>
  readTransactionHash(text, { rail, paymentToken })

test.each<[string, string, RailName, typeof evm | typeof bitcoin, string]>([
  ['of an EVM chain', `0x${digits}`, 'evm', evm, `0x${digits}`],
  ['in capitals', `0x${digits.toUpperCase()}`, 'evm', evm, `0x${digits}`],
  ['between blanks', ` 0x${digits}\n`, 'evm', evm, `0x${digits}`],
  ['of an EVM chain known by its id alone', `0x${digits}`, 'evm', unnamedEvm, `0x${digits}`],
  ['of Bitcoin', digits.toUpperCase(), 'utxo', bitcoin, digits],
  ['of Dogecoin through a gateway', digits, 'nowpayments', dogecoin, digits],
  ['of a chain that is not known', 'Tron-Hash_1', 'nowpayments', unknown, 'Tron-Hash_1'],
  ['of a sandbox', 'anything-at-all', 'sandbox', evm, 'anything-at-all'],
])('a hash %s is read', (_, text, rail, paymentToken, hash) => {
  expect(read(text, rail, paymentToken)).toEqual({ hash })
})

test.each<[string, string, RailName, typeof evm | typeof bitcoin, RegExp]>([
  ['without 0x on an EVM chain', digits, 'evm', evm, /0x and 64 hexadecimal/],
  ['with 0x on Bitcoin', `0x${digits}`, 'utxo', bitcoin, /: 64 hexadecimal/],
  ['without 0x on an EVM chain known by its id alone', digits, 'evm', unnamedEvm, /0x and 64/],
  ['without 0x on an EVM chain known by its name alone', digits, 'evm', namedEvm, /0x and 64/],
  ['that is too short', `0x${digits.slice(2)}`, 'evm', evm, /64/],
  ['that is too long', `${digits}0`, 'btcpay', bitcoin, /64/],
  ['with another letter', `0x${'g'.repeat(64)}`, 'evm', evm, /64/],
  ['that is an address', `0x${'ab'.repeat(20)}`, 'evm', evm, /64/],
  ['that is empty', '', 'sandbox', evm, /8 to 128/],
  ['with a blank', 'one two three', 'sandbox', evm, /8 to 128/],
  ['without an end', 'x'.repeat(129), 'nowpayments', unknown, /8 to 128/],
])('a hash %s is refused with what is expected', (_, text, rail, paymentToken, expected) => {
  expect(read(text, rail, paymentToken)).toEqual({ fault: expect.stringMatching(expected) })
})
