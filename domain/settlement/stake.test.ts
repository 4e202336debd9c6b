import { expect, test } from 'vitest'

import { cryptoAmount, price, usd } from '#domain/money.ts'
import { valueAtLockedPrice, valueOfPurchase } from './stake.ts'

/** $100, at $3 for one whole coin of two decimals. */
const terms = {
  paymentTokenId: 'eth',
  cryptoPrice: price(3n * 10n ** 12n),
  cryptoDecimals: 2,
  usd: usd(100n * 10n ** 6n),
}
const receipt = (amount: bigint, state: 'seen' | 'confirmed' | 'gone', paymentTokenId = 'eth') => ({
  amount: cryptoAmount(amount),
  state,
  paymentTokenId,
})

test('an amount is worth its locked price, rounded up; another asset has none', () => {
  expect(valueAtLockedPrice(terms, { paymentTokenId: 'eth', amount: 1n })).toBe(30_000n)
  const third = { ...terms, cryptoPrice: price(10n ** 12n / 3n) }
  expect(valueAtLockedPrice(third, { paymentTokenId: 'eth', amount: 1n })).toBe(3_334n)
  expect(valueAtLockedPrice(terms, { paymentTokenId: 'btc', amount: 1n })).toBeNull()
  expect(valueAtLockedPrice(terms, { paymentTokenId: null, amount: 1n })).toBeNull()
})

test('a purchase is worth what was asked for, or what came where that is more', () => {
  expect(valueOfPurchase(terms, [])).toBe(100_000_000n)
  expect(valueOfPurchase(terms, [receipt(100n, 'confirmed')])).toBe(100_000_000n)
  const much = [receipt(4_000n, 'confirmed'), receipt(1_000n, 'seen')]
  expect(valueOfPurchase(terms, much)).toBe(150_000_000n)
  const third = { ...terms, cryptoPrice: price(10n ** 12n / 3n), usd: usd(1n) }
  expect(valueOfPurchase(third, [receipt(1n, 'confirmed')])).toBe(3_334n)
  const other = [receipt(9_000n, 'gone'), receipt(9_000n, 'confirmed', 'btc')]
  expect(valueOfPurchase(terms, other)).toBe(100_000_000n)
})
