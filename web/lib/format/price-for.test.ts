import { expect, test } from 'vitest'
import { formatPriceFor } from './price-for.ts'

test.each([
  [0.000100004345, '$0.10', '1,000'],
  [0.01, '$0.01', '1'],
  [1.2345678, '$1.23', '1'],
  [0.009, '$9', '1,000'],
  [0.00000001, '$0.01', '1,000,000'],
  [1e-12, '$0.001', '1,000,000,000'],
  [0, '$0', '1'],
])('a price of %d reads %s for %s', (value, dollars, tokens) => {
  expect(formatPriceFor(value)).toEqual({ dollars, tokens })
})
