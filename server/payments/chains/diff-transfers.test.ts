import { describe, expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { SightedTransfer } from '#server/ports/rail.ts'
import { diffTransfers } from './diff-transfers.ts'

const transfer = (transactionHash: string, blockHeight: bigint | null): SightedTransfer => ({
  transactionHash,
  index: 0,
  address: 'ours',
  paymentTokenId: 'btc',
  amount: cryptoAmount(5n),
  blockHeight,
  sentAt: new Date('2026-01-02T03:04:05Z'),
  isGone: false,
})

/** What is told, in a few words, of one transfer `a` that was recorded, or of none. */
function toldOf(
  recordedAt: bigint | null | undefined,
  now: { minedAt?: bigint; waits?: boolean; isAtEnd?: boolean },
): string[] {
  const told = diffTransfers({
    recorded: recordedAt === undefined ? [] : [transfer('a', recordedAt)],
    mined: now.minedAt === undefined ? [] : [transfer('a', now.minedAt)],
    pending: now.waits === true ? [transfer('a', null)] : [],
    pendingIds: new Set(now.waits === true ? ['a', 'b'] : ['b']),
    isAtEnd: now.isAtEnd ?? true,
  })
  return told.map(({ isGone, blockHeight }) =>
    isGone ? 'gone' : blockHeight === null ? 'waits' : `mined at ${blockHeight}`,
  )
}

describe('a transfer', () => {
  test('is told of as it is first seen, and once', () => {
    expect(toldOf(undefined, { waits: true })).toEqual(['waits'])
    expect(toldOf(null, { waits: true })).toEqual([])
    expect(toldOf(undefined, { minedAt: 7n })).toEqual(['mined at 7'])
  })

  test('is mined, whether or not it was listed as waiting just before', () => {
    expect(toldOf(null, { minedAt: 7n })).toEqual(['mined at 7'])
    expect(toldOf(null, { minedAt: 7n, waits: true })).toEqual(['mined at 7'])
    expect(toldOf(undefined, { minedAt: 7n, waits: true })).toEqual(['mined at 7'])
  })

  test('of a replaced block is in another one, waits again, or is gone', () => {
    expect(toldOf(6n, { minedAt: 7n })).toEqual(['mined at 7'])
    expect(toldOf(6n, { waits: true })).toEqual(['waits'])
    expect(toldOf(6n, {})).toEqual(['gone'])
  })

  test('that no longer waits is gone once every block was read, and not before', () => {
    expect(toldOf(null, {})).toEqual(['gone'])
    expect(toldOf(null, { isAtEnd: false })).toEqual([])
  })
})
