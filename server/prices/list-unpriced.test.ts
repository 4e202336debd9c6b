import { expect, test } from 'vitest'

import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { feedNames } from './feeds.ts'
import { listUnpriced, type PriceFeedSettings } from './price-feeds.ts'

const all: PriceFeedSettings = { feeds: feedNames, feedsMin: 2, outlierMillionths: 20_000 }

const saleIn = (...symbols: string[]) =>
  aSale({ paymentTokens: symbols.map((symbol) => aPaymentToken({ symbol })) })

test('a sale in coins that the feeds know has all its prices', () => {
  const known = saleIn('ETH', 'BNB', 'MATIC', 'USDT', 'BTC', 'LTC', 'DOGE', 'USDC', 'DAI', 'LINK')
  expect(listUnpriced(all, known)).toEqual([])
})

test('a coin that too few know is told at the start, once', () => {
  expect(listUnpriced(all, saleIn('HUH', 'ETH', 'HUH', 'constructor'))).toEqual([
    'PRICE_FEEDS has no feed for the price of HUH, and PRICE_FEEDS_MIN asks for 2: ' +
      'add feeds, or take HUH out of the sale file',
    expect.stringContaining('no feed for the price of constructor'),
  ])
  const two = { ...all, feeds: ['bitstamp', 'kraken'] } as const
  expect(listUnpriced(two, saleIn('BNB', 'ETH'))).toEqual([
    expect.stringContaining('only kraken for the price of BNB'),
  ])
})

test('what nobody can buy with needs no price', () => {
  const paymentTokens = [aPaymentToken({ symbol: 'HUH', isEnabled: false })]
  expect(listUnpriced(all, aSale({ paymentTokens }))).toEqual([])
})
