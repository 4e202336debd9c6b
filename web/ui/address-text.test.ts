import { expect, test } from 'vitest'
import { addressGroups } from './address-text.tsx'

function written(address: string): string {
  const { prefix, groups } = addressGroups(address)
  return [prefix, ...groups.map((group) => group.text)].join(' ')
}

test('the prefix stays whole and the last group has four characters', () => {
  expect(written('sandbox-matic-ojabcdefg5opd7e')).toBe('sandbox-matic- ojab cdef g5o pd7e')
  expect(written('bitcoincash:qpm2qsznhks2')).toBe('bitcoincash: qpm2 qszn hks2')
})

test('an address without a prefix begins with its first four', () => {
  expect(written('0x8f3Cf7ad23')).toBe(' 0x8f 3Cf7 ad23')
  expect(written('abc')).toBe(' abc')
})

test('nothing of the address is lost or added', () => {
  const address = 'sandbox-0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'
  const { prefix, groups } = addressGroups(address)
  expect(prefix + groups.map((group) => group.text).join('')).toBe(address)
})
