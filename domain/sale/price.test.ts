import { describe, expect, test } from 'vitest'
import { percentage, price } from '#domain/money.ts'
import { freshPrice } from './fresh-price.ts'
import { agreeOnPrice, isFresh, medianPrice } from './price.ts'
import { minute } from '#tests/kit/builders/domain-builders.ts'

test.each([
  { age: 0, fresh: true },
  { age: 120_000, fresh: true },
  { age: 120_001, fresh: false },
  { age: -5000, fresh: true },
  { age: -120_001, fresh: false },
])('a price $age ms old is fresh: $fresh', ({ age, fresh }) => {
  const pricedAt = new Date(minute(10).getTime() - age)

  expect(isFresh(pricedAt, minute(10))).toBe(fresh)
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

const now = new Date('2026-03-01T12:00:00Z')
const rule = { feedsMin: 2, ageMaxMs: 60_000, outlierBeyond: percentage(20_000n) }

/** What each feed reports, in whole dollars, and how many seconds ago. */
function agree(...reported: (number | [number, number])[]) {
  const prices = reported.map((each, index) => {
    const [dollars, agoSeconds] = typeof each === 'number' ? [each, 0] : each
    const at = new Date(now.getTime() - agoSeconds * 1000)
    return { feed: `feed-${index}`, price: price(BigInt(dollars) * 10n ** 12n), at }
  })
  const agreed = agreeOnPrice(prices, rule, now)
  return agreed.ok
    ? { dollars: Number(agreed.price / 10n ** 12n), feeds: agreed.sources.length }
    : agreed.why
}

describe('several feeds', () => {
  test('agree on the middle price, whatever one of them says', () => {
    expect(agree(1000, 1001, 1010)).toEqual({ dollars: 1001, feeds: 3 })
    expect(agree(1000, 1002)).toEqual({ dollars: 1001, feeds: 2 })
    expect(agree(1000, 10_010, 1002)).toEqual({ dollars: 1001, feeds: 2 })
    expect(agree(0, 1000, 1002)).toEqual({ dollars: 1001, feeds: 2 })
  })

  test('count up to the limit of age and distance, and not beyond', () => {
    expect(agree([1000, 60], 1020)).toEqual({ dollars: 1010, feeds: 2 })
    expect(agree([1000, 61], 1020)).toMatch(/^1 of 2 prices agree/)
    expect(agree(1000, 1021)).toBe('0 of 2 prices agree and are fresh, 2 are needed')
    expect(agree([1000, -61], 1000)).toMatch(/^1 of 2/)
  })

  test('are no quorum if none is near another, or if there is only one', () => {
    expect(agree(1000, 1100, 1200)).toMatch(/^1 of 3/)
    expect(agree(1000)).toMatch(/^1 of 1/)
    expect(agree()).toMatch(/^0 of 0/)
    expect(agree(0, 0)).toMatch(/^0 of 2/)
  })
})

const HUH = { symbol: 'HUH', fixedPrice: null }
const storedFrom = (...feeds: string[]) => {
  const at = minute(0)
  const sources = feeds.map((feed) => ({ feed, price: price(5n), at }))
  return new Map([['HUH', { price: price(5n), sources, fetchedAt: at }]])
}

test.each([
  { priceFrom: 'feeds', feeds: ['kraken', 'own'], isSoldAt: true },
  { priceFrom: 'feeds', feeds: ['own'], isSoldAt: false },
  { priceFrom: 'feeds', feeds: ['fixed'], isSoldAt: false },
  { priceFrom: 'own', feeds: ['own'], isSoldAt: true },
  { priceFrom: 'own', feeds: ['kraken', 'own'], isSoldAt: false },
  { priceFrom: 'own', feeds: ['fixed'], isSoldAt: false },
] as const)(
  'a coin whose price is to come from $priceFrom is sold at one by $feeds: $isSoldAt',
  ({ priceFrom, feeds, isSoldAt }) => {
    const found = freshPrice(storedFrom(...feeds), { ...HUH, priceFrom }, minute(1))
    expect(found?.price).toBe(isSoldAt ? 5n : undefined)
  },
)
