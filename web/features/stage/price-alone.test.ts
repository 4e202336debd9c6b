import { expect, test } from 'vitest'
import { priceAlone } from './price-alone.ts'

test.each([
  [2, '$2', '1'],
  [1.5, '$1.50', '1'],
  [0.0123456, '$0.0123456', '1'],
  [0.0001, '$0.10', '1,000'],
])('%d dollars a token read %s for %s', (dollars, price, tokens) => {
  expect(priceAlone(dollars)).toEqual({ price, tokens })
})
