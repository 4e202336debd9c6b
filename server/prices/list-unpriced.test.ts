import { expect, test } from 'vitest'

import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { feedNames } from './feeds.ts'
import { listUnpriced, type PriceFeedSettings } from './price-feeds.ts'

const all: PriceFeedSettings = {
  feeds: feedNames,
  feedsMin: 2,
  outlierMillionths: 20_000,
  own: null,
}

const saleIn = (...symbols: string[]) =>
  aSale({ paymentTokens: symbols.map((symbol) => aPaymentToken({ symbol })) })

test('a sale in coins that the feeds know has all its prices', () => {
  const known = saleIn('ETH', 'BNB', 'MATIC', 'USDT', 'BTC', 'LTC', 'DOGE', 'USDC', 'DAI', 'LINK')
  expect(listUnpriced(all, known)).toEqual([])
})

test('a coin that too few feeds know is reported once, at the start', () => {
  expect(listUnpriced(all, saleIn('HUH', 'ETH', 'HUH', 'constructor'))).toEqual([
    'PRICE_FEEDS has no feed for the price of HUH, and PRICE_FEEDS_MIN asks for 2: ' +
      'add feeds, set price_from of HUH, or take it out of the sale file',
    expect.stringContaining('no feed for the price of constructor'),
  ])
  const two = { ...all, feeds: ['bitstamp', 'kraken'] } as const
  expect(listUnpriced(two, saleIn('BNB', 'ETH'))).toEqual([
    expect.stringContaining('only kraken for the price of BNB'),
  ])
})

test('a feed that quotes in USDT counts only where enough others know what USDT is worth', () => {
  const one = { ...all, feeds: ['coinbase', 'binance'] } as const
  expect(listUnpriced(one, saleIn('ETH'))).toEqual([
    'PRICE_FEEDS has only coinbase for the price of ETH, and PRICE_FEEDS_MIN asks for 2: ' +
      'add feeds, set price_from of ETH, or take it out of the sale file',
  ])
  const two = { ...all, feeds: ['coinbase', 'kraken', 'binance'], feedsMin: 3 } as const
  expect(listUnpriced(two, saleIn('ETH'))).toHaveLength(1)
  expect(listUnpriced({ ...two, feedsMin: 2 }, saleIn('ETH'))).toEqual([])
})

test('what nobody can buy with needs no price', () => {
  const paymentTokens = [aPaymentToken({ symbol: 'HUH', isEnabled: false })]
  expect(listUnpriced(all, aSale({ paymentTokens }))).toEqual([])
})

test('a coin whose price comes from elsewhere needs no public feed', () => {
  const own = aPaymentToken({ symbol: 'HUH', priceFrom: 'own' })
  const fixed = aPaymentToken({ symbol: 'XYZ', priceFrom: 'fixed' })
  expect(listUnpriced(all, aSale({ paymentTokens: [fixed] }))).toEqual([])
  expect(listUnpriced(all, aSale({ paymentTokens: [own] }))).toEqual([
    'PRICE_FEED_URL must be set: the price of HUH comes from it',
  ])
  const withOwn = { ...all, own: { url: 'https://prices.example', token: null } }
  expect(listUnpriced(withOwn, aSale({ paymentTokens: [own] }))).toEqual([])
  // One more feed that may agree, but is not enough alone.
  expect(listUnpriced(withOwn, saleIn('HUH'))).toEqual([expect.stringContaining('only own for')])
})
