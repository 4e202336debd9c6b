import { expect, test } from 'vitest'
import { acceptAmount, plainAmount } from './accept-amount.ts'

test.each([
  ['12', 6, '12'],
  ['12.', 6, '12.'],
  ['12.5.7', 6, '12.57'],
  ['abc1e5', 6, '15'],
  ['-3', 6, '3'],
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
  ['1,', 6, '1.'],
  [' 2 500 ', 6, '2500'],
])('%j with %i decimals becomes %j', (text, decimals, accepted) => {
  expect(acceptAmount(text, decimals)).toBe(accepted)
})

test('an amount that ends in its point is sent without it', () => {
  expect(plainAmount('12.')).toBe('12')
  expect(plainAmount('12.5')).toBe('12.5')
})
