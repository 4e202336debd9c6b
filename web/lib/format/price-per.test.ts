import { expect, it } from 'vitest'
import { formatExactPriceOf, formatPriceOf, tokensPerPrice } from './price-per.ts'

it.each([
  [[0.5, 0.7], 1],
  [[0.01], 1],
  [[0.0099], 1000],
  [[0.0001, 0.00032], 1000],
  [[12, 0.000009], 1_000_000],
  [[1e-9], 1_000_000_000],
  [[1e-12], 1_000_000_000_000],
  [[0], 1],
  [[], 1],
])('prices of %o are said for %d tokens', (prices, tokens) => {
  expect(tokensPerPrice(prices)).toBe(tokens)
})

it.each([
  [0.0001, 1000, '$0.10'],
  [0.000100004345, 1000, '$0.10'],
  [0.000104, 1000, '$0.104'],
  [0.00014, 1000, '$0.14'],
  [0.001, 1000, '$1.00'],
  [0.0149, 1, '$0.0149'],
  [1e-12, 1_000_000_000_000, '$1.00'],
  [0, 1, '$0.00'],
  [12.3456, 1, '$12.35'],
  [1234.5, 1, '$1,234.50'],
])('%d a token is, for %d of them, %s', (price, tokens, text) => {
  expect(formatPriceOf(price, tokens)).toBe(text)
})

it.each([
  [0.0001, 1000, '$0.10'],
  [0.000103214987, 1000, '$0.103214987'],
  [0.000001234567, 1_000_000, '$1.234567'],
  [1e-12, 1_000_000_000_000, '$1.00'],
  [12.3456, 1, '$12.3456'],
])('%d a token is, for %d of them, exactly %s', (price, tokens, text) => {
  expect(formatExactPriceOf(price, tokens)).toBe(text)
})
