import { describe, expect, it } from 'vitest'
import { priceFromWire } from '#contract/codec.ts'
import { asTypedUsd, buyAmounts, readUsd, typedCoins } from './buy-amounts.ts'

const eth = priceFromWire(2500)
const btc = priceFromWire(60_000)
const doge = priceFromWire(0.12)

describe('the coins follow the dollars', () => {
  it.each([
    ['1000', eth, '0.4'],
    ['1000', btc, '0.01667'],
    ['250', doge, '2083.33333'],
    ['0.5', btc, '0.00000833'],
    ['12.', eth, '0.0048'],
    ['.5', doge, '4.16667'],
    ['10000000000000', eth, '4000000000'],
    ['', eth, ''],
    ['.', eth, ''],
  ])('$%s', (usdText, price, cryptoText) => {
    expect(buyAmounts({ field: 'usd', text: usdText }, price)).toEqual({ usdText, cryptoText })
  })
})

describe('the dollars follow the coins, in cents', () => {
  it.each([
    ['0.4', eth, '1000'],
    ['0.12345', btc, '7407'],
    ['0.00001', btc, '0.6'],
    ['1', priceFromWire(2512.347), '2512.35'],
    ['0.00001', doge, '0.000001'],
    ['', eth, ''],
  ])('%s coins', (cryptoText, price, usdText) => {
    expect(buyAmounts({ field: 'crypto', text: cryptoText }, price)).toEqual({
      usdText,
      cryptoText,
    })
  })
})

it('leaves the other amount empty while there is no price', () => {
  expect(buyAmounts({ field: 'usd', text: '1000' }, null).cryptoText).toBe('')
  expect(buyAmounts({ field: 'crypto', text: '1' }, null).usdText).toBe('')
  expect(buyAmounts({ field: 'usd', text: '1000' }, priceFromWire(0)).cryptoText).toBe('')
})

it.each([
  ['at the price of the moment', eth, btc, '30000'],
  ['at the one that they were typed at, once they have lost it', eth, null, '1250'],
  ['not at all without either', null, null, ''],
])('takes coins as dollars %s', (_, then, now, text) => {
  expect(asTypedUsd(typedCoins('0.5', then), now)).toEqual({ field: 'usd', text })
})

it('reads dollars to the millionth and nothing else as dollars', () => {
  expect(readUsd('1000.123456')).toBe(1_000_123_456n)
  expect(readUsd('')).toBeNull()
  expect(readUsd('1e3')).toBeNull()
  expect(readUsd('1.1234567')).toBeNull()
})
