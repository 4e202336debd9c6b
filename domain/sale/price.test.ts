import { expect, test } from 'vitest'
import { price } from '#domain/money.ts'
import { isFresh, medianPrice } from './price.ts'
import { minute } from '#tests/kit/builders/domain-builders.ts'

test.each([
  { age: 0, fresh: true },
  { age: 60_000, fresh: true },
  { age: 60_001, fresh: false },
  { age: -5000, fresh: true },
  { age: -60_001, fresh: false },
])('a price $age ms old is fresh: $fresh', ({ age, fresh }) => {
  const pricedAt = new Date(minute(10).getTime() - age)

  expect(isFresh(pricedAt, minute(10), 60_000)).toBe(fresh)
})

test.each([
  { prices: [], median: null },
  { prices: [5n], median: 5n },
  { prices: [5n, 8n], median: 6n },
  { prices: [1000n, 1n, 5n], median: 5n },
  { prices: [10n ** 20n, 9n, 10n, 0n], median: 9n },
  { prices: [7n, 7n, 7n], median: 7n },
])('the median of $prices is $median', ({ prices, median }) => {
  expect(medianPrice(prices.map(price))).toBe(median)
})
