import { expect, it } from 'vitest'
import { formatPrice } from './format-price.ts'

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
