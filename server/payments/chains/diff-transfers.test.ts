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

/** The reported changes, in a few words, for a recorded transfer `a`, or for none. */
function changesOf(
  recordedAt: bigint | null | undefined,
  now: { minedAt?: bigint; waits?: boolean; isUnseen?: boolean; isWhole?: boolean },
): string[] {
  const changes = diffTransfers({
    recorded: recordedAt === undefined ? [] : [transfer('a', recordedAt)],
    mined: now.minedAt === undefined ? [] : [transfer('a', now.minedAt)],
    pending: now.waits === true ? [transfer('a', null)] : [],
    pendingIds: new Set(now.waits === true ? ['a', 'b'] : ['b']),
    unseenIds: new Set(now.isUnseen === true ? ['a'] : []),
    isWhole: now.isWhole ?? true,
  })
  return changes.map(({ isGone, blockHeight }) =>
    isGone ? 'gone' : blockHeight === null ? 'waits' : `mined at ${blockHeight}`,
  )
}

describe('a transfer', () => {
  test('is reported once, when it is first seen', () => {
    expect(changesOf(undefined, { waits: true })).toEqual(['waits'])
    expect(changesOf(null, { waits: true })).toEqual([])
    expect(changesOf(undefined, { minedAt: 7n })).toEqual(['mined at 7'])
  })

  test('is mined, whether or not it was listed as waiting just before', () => {
    expect(changesOf(null, { minedAt: 7n })).toEqual(['mined at 7'])
    expect(changesOf(null, { minedAt: 7n, waits: true })).toEqual(['mined at 7'])
    expect(changesOf(undefined, { minedAt: 7n, waits: true })).toEqual(['mined at 7'])
  })

  test('of a replaced block is in another one, waits again, or is gone', () => {
    expect(changesOf(6n, { minedAt: 7n })).toEqual(['mined at 7'])
    expect(changesOf(6n, { waits: true })).toEqual(['waits'])
    expect(changesOf(6n, {})).toEqual(['gone'])
  })

  test('that no longer waits is gone once every block was read, and not before', () => {
    expect(changesOf(null, {})).toEqual(['gone'])
    expect(changesOf(null, { isWhole: false })).toEqual([])
  })

  test('that may wait where it cannot be seen is not gone, unless a block has it no more', () => {
    expect(changesOf(null, { isUnseen: true })).toEqual([])
    expect(changesOf(6n, { isUnseen: true })).toEqual(['gone'])
  })

  describe('that replaces another one', () => {
    const EARLIER = new Date('2026-01-02T03:00:00Z')
    const sentAtOf = (amount: bigint, isWhole: boolean, minedAt: bigint | null = null) => {
      const later = { ...transfer('b', minedAt), amount: cryptoAmount(amount) }
      const changes = diffTransfers({
        recorded: [{ ...transfer('a', null), sentAt: EARLIER }],
        mined: minedAt === null ? [] : [later],
        pending: minedAt === null ? [later] : [],
        pendingIds: new Set(minedAt === null ? ['b'] : []),
        unseenIds: new Set(),
        isWhole,
      })
      return changes.find(({ transactionHash }) => transactionHash === 'b')?.sentAt
    }

    test('was sent when that one was, mined or not, however far was read', () => {
      for (const minedAt of [null, 7n]) {
        expect(sentAtOf(5n, true, minedAt)).toEqual(EARLIER)
        expect(sentAtOf(4n, false, minedAt)).toEqual(EARLIER)
      }
    })

    test('takes the place of the least that is enough', () => {
      const of = (hash: string, amount: bigint, sentAt: Date) => ({
        ...transfer(hash, null),
        amount: cryptoAmount(amount),
        sentAt,
      })
      const later = transfer('b', null).sentAt
      const changes = diffTransfers({
        recorded: [of('more', 9n, EARLIER), of('less', 5n, EARLIER)],
        mined: [],
        pending: [of('first', 5n, later), of('second', 9n, later)],
        pendingIds: new Set(['first', 'second']),
        unseenIds: new Set(),
        isWhole: true,
      })
      const arrived = changes.filter(({ isGone }) => !isGone)
      expect(arrived.map(({ sentAt }) => sentAt)).toEqual([EARLIER, EARLIER])
    })

    test('and brings more is a payment of its own', () => {
      expect(sentAtOf(6n, true)).toEqual(transfer('b', null).sentAt)
    })

    test.each([
      [5n, ['a']],
      [6n, []],
    ])('takes the place of one that nobody here has seen, with %d of 5', (amount, gone) => {
      for (const isWhole of [true, false]) {
        const changes = diffTransfers({
          recorded: [{ ...transfer('a', null), sentAt: EARLIER }],
          mined: [],
          pending: [{ ...transfer('b', null), amount: cryptoAmount(amount) }],
          pendingIds: new Set(['b']),
          unseenIds: new Set(['a']),
          isWhole,
        })
        const isGone = changes.filter((change) => change.isGone)
        expect(isGone.map(({ transactionHash }) => transactionHash)).toEqual(gone)
      }
    })
  })
})
