import { expect, test } from 'vitest'

import { cryptoAmount } from '#domain/money.ts'
import { minute } from '#tests/kit/builders/domain-builders.ts'
import { keepSentTimes } from './keep-sent-times.ts'

const sent = (amount: bigint, at: number, other: { address?: string; token?: string } = {}) => ({
  address: other.address ?? 'ours',
  paymentTokenId: other.token ?? 'btc',
  amount: cryptoAmount(amount),
  sentAt: minute(at),
})

const timesOf = (...given: Parameters<typeof keepSentTimes>) =>
  keepSentTimes(...given).arrived.map(({ sentAt }) => sentAt)

test('what replaces a payment counts as sent when that one was, if it brings no more', () => {
  expect(timesOf([sent(10n, 5)], [sent(10n, 40)])).toEqual([minute(5)])
  expect(timesOf([sent(10n, 5)], [sent(9n, 40)])).toEqual([minute(5)])
  expect(timesOf([sent(10n, 5)], [sent(11n, 40)])).toEqual([minute(40)])
})

test('it has to be in the same token and to the same address', () => {
  expect(timesOf([sent(10n, 5, { token: 'usdt' })], [sent(10n, 40)])).toEqual([minute(40)])
  expect(timesOf([sent(10n, 5, { address: 'another' })], [sent(10n, 40)])).toEqual([minute(40)])
})

test('a payment never gets a later time', () => {
  expect(timesOf([sent(10n, 40)], [sent(10n, 5)])).toEqual([minute(5)])
})

test.each([
  { order: 'as they came', gone: [sent(20n, 5), sent(10n, 6), sent(15n, 7)] },
  { order: 'the other way round', gone: [sent(15n, 7), sent(10n, 6), sent(20n, 5)] },
])('each replaces the least that is enough, and no other does ($order)', ({ gone }) => {
  const arrived = [sent(10n, 40), sent(20n, 41), sent(15n, 42), sent(1n, 43)]
  expect(timesOf(gone, arrived)).toEqual([minute(6), minute(5), minute(7), minute(43)])
})
