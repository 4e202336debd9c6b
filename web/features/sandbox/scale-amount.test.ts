import { expect, it } from 'vitest'
import { scaleAmount } from './scale-amount.ts'

it.each([
  ['25', 1n, 2n, '12.5'],
  ['0.00042001', 1n, 2n, '0.00021'],
  ['0.398123456789012345', 1n, 1n, '0.398123456789012345'],
  ['0.398123456789012345', 2n, 1n, '0.79624691357802469'],
])('%s times %d/%d is %s', (text, numerator, denominator, expected) => {
  expect(scaleAmount(text, numerator, denominator)).toBe(expected)
})

it.each(['', '0', '0.00', 'abc', '1,5'])('%j is no amount to send', (text) => {
  expect(scaleAmount(text, 1n, 1n)).toBeNull()
})
