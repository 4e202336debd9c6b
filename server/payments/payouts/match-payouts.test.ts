import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { Payout } from '#server/ports/payouts.ts'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { findOtherAmounts, matchPayouts, type SeenTransfer } from './match-payouts.ts'

const paymentToken = aPaymentToken()
const payout = (id: string, amount: bigint, address = 'a'): Payout => ({
  id,
  address,
  paymentToken,
  amount: cryptoAmount(amount),
})
const transfer = (transactionHash: string, changes: Partial<SeenTransfer> = {}): SeenTransfer => ({
  transactionHash,
  index: 0,
  address: 'a',
  paymentTokenId: paymentToken.id,
  amount: 5n,
  confirmations: 1,
  isOwn: true,
  ...changes,
})
const search = {
  sinceHeight: 0n,
  readHeight: 0n,
  hashes: [],
  followed: [],
  own: null,
  sights: new Map(),
  known: new Map(),
  isTaken: () => false,
}

function match(payouts: Payout[], seen: SeenTransfer[], changes = {}): string[] {
  return matchPayouts(payouts, seen, { ...search, ...changes }).map(
    ({ payout: { id }, transfer: { transactionHash, index } }) =>
      `${id} ${transactionHash} ${index}`,
  )
}

test('one transfer pays one payout', () => {
  expect(match([payout('1', 5n), payout('2', 5n)], [transfer('x')])).toEqual(['1 x 0'])
  const two = [transfer('x'), transfer('x', { index: 1 })]
  expect(match([payout('1', 5n), payout('2', 5n)], two)).toEqual(['1 x 0', '2 x 1'])
})

test('a transfer reported twice counts once', () => {
  const twice = [transfer('x'), transfer('x', { confirmations: 0 })]
  expect(match([payout('1', 5n), payout('2', 5n)], twice)).toEqual(['1 x 0'])
})

test.each([
  ['another amount', { amount: 6n }],
  ['another address', { address: 'b' }],
  ['another asset', { paymentTokenId: 'other' }],
])('a transfer of %s pays nothing', (_, changes) => {
  expect(match([payout('1', 5n)], [transfer('x', changes)])).toEqual([])
})

test('what pays another claim already is not taken', () => {
  const isTaken = ({ transactionHash }: SeenTransfer) => transactionHash === 'x'
  expect(match([payout('1', 5n)], [transfer('x')], { isTaken })).toEqual([])
})

test('the named transaction comes first, then the deepest, and the order of reading counts nothing', () => {
  const seen = [transfer('a'), transfer('b', { confirmations: 9 }), transfer('c')]
  expect(match([payout('1', 5n)], seen)).toEqual(['1 b 0'])
  expect(match([payout('1', 5n)], seen.toReversed())).toEqual(['1 b 0'])
  expect(match([payout('1', 5n)], seen, { hashes: ['c'] })).toEqual(['1 c 0'])
})

test('a payout keeps the transfer that it was found as, while it is there', () => {
  const both = [payout('1', 5n), payout('2', 5n)]
  const known = new Map([
    ['1', { transactionHash: 'a', index: 0 }],
    ['2', { transactionHash: 'b', index: 0 }],
  ])
  const seen = [transfer('a'), transfer('b'), transfer('c')]
  expect(match(both, seen, { known, hashes: ['b'] })).toEqual(['1 a 0', '2 b 0'])
  expect(match(both, seen.slice(1), { known, hashes: ['b'] })).toEqual(['1 c 0', '2 b 0'])
  const taken = { known, isTaken: ({ transactionHash: hash }: SeenTransfer) => hash === 'a' }
  expect(match(both, seen, taken)).toEqual(['1 c 0', '2 b 0'])
  expect(match([payout('1', 6n)], seen, { known })).toEqual([])
})

test('what is no longer taken for ours pays only what it was found to pay, and nothing else does', () => {
  const both = [payout('1', 5n), payout('2', 5n)]
  const known = new Map([['1', { transactionHash: 'a', index: 0 }]])
  const stranger = transfer('a', { isOwn: false })
  expect(match(both, [stranger])).toEqual([])
  expect(match(both, [stranger], { known })).toEqual(['1 a 0'])
  expect(match([payout('1', 5n)], [stranger, transfer('b')], { known })).toEqual(['1 b 0'])
  expect(match(both, [stranger, transfer('b')], { known }).toSorted()).toEqual(['1 a 0', '2 b 0'])
})

test('a transaction that pays more of the payouts comes before a deeper one by chance', () => {
  const seen = [
    transfer('a', { confirmations: 9 }),
    transfer('b'),
    transfer('b', { index: 1, address: 'b' }),
  ]
  expect(match([payout('1', 5n), payout('2', 5n, 'b')], seen)).toEqual(['1 b 0', '2 b 1'])
})

test('another amount is named for a payout that has none, unless it paid something else', () => {
  const seen = [transfer('x', { amount: 6n }), transfer('y', { amount: 7n })]
  const othersOf = (changes = {}) =>
    findOtherAmounts([payout('1', 5n)], seen, [], { ...search, ...changes }).map(
      ({ transactionHash }) => transactionHash,
    )
  expect(othersOf()).toEqual(['x', 'y'])
  const isTaken = ({ transactionHash }: SeenTransfer) => transactionHash === 'x'
  expect(othersOf({ isTaken })).toEqual(['y'])
})
