import { expect, test } from 'vitest'
import { acceptAmount, plainAmount, typeAmount } from './accept-amount.ts'

test.each([
  ['12', 6, '12'],
  ['12.', 6, '12.'],
  ['12.5.7', 6, '12.57'],
  ['12x', 6, '12'],
  ['1e', 6, '1'],
  ['1.23456789', 6, '1.234567'],
  ['1.23456789', 5, '1.23456'],
  ['1.5', 0, '1'],
  ['', 6, ''],
  ['.5', 6, '0.5'],
  ['007', 6, '7'],
  ['0', 6, '0'],
  ['0.0', 6, '0.0'],
  ['$1,000.50', 6, '1000.50'],
  ['1,000', 6, '1000'],
  ['0,5', 6, '0.5'],
  ['0,500', 6, '0.500'],
  [',125', 6, '0.125'],
  ['1,', 6, '1.'],
  ['1,5', 6, '1.5'],
  ['1.000,50', 6, '1000.50'],
  ['1.234.567,89', 6, '1234567.89'],
  ['1.000.000', 6, '1000000'],
  ['1,000,000', 6, '1000000'],
  [' 2 500 ', 6, '2500'],
  ['0.123456789012345678901234567890', 5, '0.12345'],
])('%j with %i decimals becomes %j', (text, decimals, accepted) => {
  expect(acceptAmount(text, decimals)).toBe(accepted)
})

test.each(['-3', '−5', '1e308', '2.5E-7', 'abc1e5', 'NaN', 'Infinity', '٣', 'ten', '-'])(
  '%j is no plain amount, and what was there before stays',
  (text) => {
    expect(acceptAmount(text, 6)).toBeNull()
  },
)

/** What a field holds once the keys have been pressed one by one. */
function typeKeys(keys: string, { decimals = 6, hasGroupCommas = true }): string {
  let typing = { keys: '', accepted: '' }
  for (const key of keys) {
    typing = typeAmount(typing, typing.accepted + key, decimals, hasGroupCommas)
  }
  return typing.accepted
}

test.each([
  ['1,000', '1000'],
  ['1,000,000', '1000000'],
  ['1,234,567.5', '1234567.5'],
  ['1,234.567', '1234.567'],
  ['1,000,000,000', '1000000000'],
  ['$1,000,000', '1000000'],
  ['01,000', '1000'],
  ['1,00,000', '100000'],
  ['10,00,000', '1000000'],
  ['1.000', '1.000'],
  ['1.000.', '1.000'],
  ['1.000.000', '1000000'],
  ['1.234.567,5', '1234567.5'],
  ['12,5', '12.5'],
  ['0,500', '0.500'],
  ['1,0000', '10000'],
  ['1.2.3x4', '1.234'],
])('%s typed key by key becomes %s', (keys, accepted) => {
  expect(typeKeys(keys, {})).toBe(accepted)
  expect(typeKeys(keys, { decimals: 5 })).toBe(accepted)
})

test.each([
  ['1,000', '1.000'],
  ['1.000', '1.000'],
  ['1.000,5', '1000.5'],
  ['1.000.000', '1000000'],
  ['1.234.567,5', '1234567.5'],
])('where commas are no groups, %s typed key by key becomes %s', (keys, accepted) => {
  expect(typeKeys(keys, { hasGroupCommas: false })).toBe(accepted)
})

test('what is no amount leaves what was typed before, and the next key goes on', () => {
  const before = { keys: '1,00', accepted: '1.00' }
  expect(typeAmount(before, 'ten', 6, true)).toBe(before)
  expect(typeAmount(before, '1.000', 6, true).accepted).toBe('1000')
})

test('an amount in place of another is read as it is', () => {
  const before = { keys: '1,00', accepted: '1.00' }
  expect(typeAmount(before, '2.5', 6, true)).toEqual({ keys: '2.5', accepted: '2.5' })
})

test('an amount that ends in its point is sent without it', () => {
  expect(plainAmount('12.')).toBe('12')
  expect(plainAmount('12.5')).toBe('12.5')
})
