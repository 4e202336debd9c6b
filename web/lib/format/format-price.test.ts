import { expect, it } from 'vitest'
import { formatPrice, formatPriceShort } from './format.ts'

it.each([
  [0.0001, '$0.0001'],
  [0.00010321498, '$0.00010321498'],
  [0.000100000334, '$0.000100000334'],
  [1.2345678, '$1.2345678'],
  [0.00001, '$0.00001'],
  [0.00000001, '$0.00000001'],
  [1250, '$1,250'],
  [1.5, '$1.50'],
  [0, '$0'],
])('a price of %d reads %s', (value, text) => {
  expect(formatPrice(value)).toBe(text)
})

it.each([
  [0.0001, '$0.0001'],
  [0.000100000334, '$0.0001'],
  [0.000103214987, '$0.000103215'],
  [0.00000001, '$0.00000001'],
  [1234.5678, '$1,234.57'],
  [1234567.891, '$1,234,567.89'],
  [1.5, '$1.50'],
  [0, '$0'],
])('a price of %d reads %s as a figure', (value, text) => {
  expect(formatPriceShort(value)).toBe(text)
})
