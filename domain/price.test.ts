import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { price } from '#domain/money.ts'
import { isFresh, medianPrice, type PricePoint, thinPricePoints } from '#domain/price.ts'
import { minute } from '#tests/kit/domain-builders.ts'
import { patiently, randomRuns } from '#tests/kit/random-runs.ts'

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

describe('thinPricePoints', () => {
  const pointsOf = (prices: readonly bigint[]): PricePoint[] =>
    prices.map((units, index) => ({ at: minute(index), price: price(units) }))

  test('few points stay as they are', () => {
    const points = pointsOf(Array.from({ length: 200 }, (_, index) => BigInt(index)))

    expect(thinPricePoints(points)).toEqual(points)
    expect(thinPricePoints([])).toEqual([])
  })

  test('are spread over the whole time', () => {
    const points = pointsOf(Array.from({ length: 10_000 }, () => 5n))
    const minutes = thinPricePoints(points).map(
      ({ at }) => (at.getTime() - minute(0).getTime()) / 60_000,
    )
    const gaps = minutes.slice(1).map((at, index) => at - (minutes[index] ?? 0))

    expect(minutes.length).toBeGreaterThan(190)
    expect(Math.max(...gaps)).toBeLessThan(60)
  })

  test('keep the first, the last, the lowest and the highest, in order', patiently, () => {
    const random = fc.array(fc.bigInt({ min: 0n, max: 30n }), { minLength: 5, maxLength: 300 })
    fc.assert(
      fc.property(random, fc.integer({ min: 4, max: 60 }), (prices, max) => {
        const points = pointsOf(prices)
        const thin = thinPricePoints(points, max)
        const pricesLeft = thin.map((point) => point.price)
        const lowest = prices.reduce((one, other) => (one < other ? one : other))
        const highest = prices.reduce((one, other) => (one > other ? one : other))

        expect(thin.length).toBeLessThanOrEqual(max)
        expect(thin[0]).toBe(points[0])
        expect(thin.at(-1)).toBe(points.at(-1))
        expect(pricesLeft).toContain(lowest)
        expect(pricesLeft).toContain(highest)
        expect(thin).toEqual(points.filter((point) => thin.includes(point)))
      }),
      randomRuns(500),
    )
  })
})
