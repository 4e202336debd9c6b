import { expect, test } from 'vitest'
import { acceptAmount, plainAmount } from './accept-amount.ts'

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

test('an amount that ends in its point is sent without it', () => {
  expect(plainAmount('12.')).toBe('12')
  expect(plainAmount('12.5')).toBe('12.5')
})
