import { describe, expect, test } from 'vitest'
import { tokenAmount } from '#domain/money.ts'
import { aReceipt, minute } from '#tests/kit/builders/domain-builders.ts'
import {
  type PurchaseCase,
  afterExpiry,
  cheaperToken,
  completed,
  fallenEth,
  gone,
  inFull,
  late,
  nextStage,
  pending,
  settleWith,
  summaryOf,
  seen,
} from '#tests/kit/model/purchase-summary.ts'

const givenBack = { reservationLeft: tokenAmount(0n) }
const tooLate: PurchaseCase[] = [
  {
    name: 'exact, at an unchanged market',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', late)] },
    expected: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'one millisecond late is late',
    facts: {
      ...afterExpiry,
      receipts: [aReceipt('0.5', { seenAt: new Date(minute(30).getTime() + 1), market: null })],
    },
    expected: { status: 'expired (late)', refunds: { 'receipt-1': '0.5 late' } },
  },
  {
    name: 'seen: it will buy, though nothing is held for it',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, ...seen })] },
    expected: { status: 'processing (late)' },
  },
  {
    name: 'seen before the chain was read past the expiry',
    facts: { receipts: [aReceipt('0.5', { ...late, ...seen })] },
    expected: { status: 'processing (late)', reserved: '11000' },
  },
  {
    name: 'at a dearer token, from the stage that is on sale',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: nextStage })] },
    expected: { ...completed('1000', '0.5', '', ' (late)'), tokens: { 'stage-2': '5500' } },
  },
  {
    name: 'at a cheaper token: the locked price',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: cheaperToken })] },
    expected: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'at a fallen coin',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: fallenEth })] },
    expected: completed('500', '0.5', '5500', ' (late)'),
  },
  {
    name: 'when nothing is on sale',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: null })] },
    expected: { status: 'expired (late)', refunds: { 'late-1': '0.5 late' } },
  },
  {
    name: 'when nothing is left',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5', late)] },
    room: '0',
    expected: { status: 'expired (late)', refunds: { 'late-1': '0.5 late' } },
  },
  {
    name: 'when nothing is left but its own reservation, which is given back only now',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', late)] },
    room: '0',
    expected: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'when the stage on sale has nothing left, which its own reservation is not of',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: nextStage })] },
    room: '0',
    expected: { status: 'expired (late)', refunds: { 'late-1': '0.5 late' } },
  },
  {
    name: 'too much, at a cheaper token, when just what was quoted is left',
    facts: {
      ...afterExpiry,
      ...givenBack,
      receipts: [aReceipt('0.51', { ...late, market: cheaperToken })],
    },
    room: '11000',
    expected: {
      ...completed('1000', '0.5', '11000', ' (late)'),
      refunds: { 'late-1': '0.01 late' },
    },
  },
  {
    name: 'when little is left',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5', late)] },
    room: '1100',
    expected: {
      ...completed('100', '0.05', '1100', ' (late)'),
      refunds: { 'late-1': '0.45 late' },
    },
  },
  {
    name: 'worth less than the minimum',
    facts: { ...afterExpiry, receipts: [aReceipt('0.04', late)] },
    expected: { status: 'expired (late)', refunds: { 'late-1': '0.04 late' } },
  },
  {
    name: 'worth less than the minimum, before the chain was read past the expiry',
    facts: { receipts: [aReceipt('0.04', late)] },
    expected: pending('0.5'),
  },
  {
    name: 'worth just the minimum, seen before the chain was read past the expiry',
    facts: { receipts: [aReceipt('0.05', { ...late, ...seen })] },
    expected: { status: 'processing (late)', reserved: '11000' },
  },
  {
    name: 'worth just the minimum, seen after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.05', { ...late, ...seen })] },
    expected: { status: 'processing (late)' },
  },
  {
    name: 'the rest of an underpayment',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2'), aReceipt('0.3', late)] },
    expected: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'a part on time, the rest late and only seen',
    facts: {
      ...afterExpiry,
      receipts: [aReceipt('0.01'), aReceipt('0.49', { ...late, ...seen })],
    },
    expected: { status: 'processing (late)', reserved: '220' },
  },
  {
    name: 'little on time and little late, together the minimum',
    facts: { ...afterExpiry, receipts: [aReceipt('0.03'), aReceipt('0.02', late)] },
    expected: completed('100', '0.05', '1100', ' (late)'),
  },
  {
    name: 'little on time and little late, together too little',
    facts: { ...afterExpiry, receipts: [aReceipt('0.03'), aReceipt('0.01', late)] },
    expected: {
      status: 'failed (underpaid)',
      refunds: { 'receipt-1': '0.03 underpaid', 'late-1': '0.01 late' },
    },
  },
  {
    name: 'once more, after a payment on time',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5'), aReceipt('0.5', late)] },
    expected: completed('2000', '1', '23000', ' (overpaid)'),
  },
]

const wrong = { isRightAsset: false }
const wrongAsset: PurchaseCase[] = [
  {
    name: 'alone, seen',
    facts: { receipts: [aReceipt('7', { ...wrong, ...seen })] },
    expected: pending('0.5', ' (wrong_asset)'),
  },
  {
    name: 'alone, confirmed',
    facts: { receipts: [aReceipt('7', wrong)] },
    expected: { ...pending('0.5', ' (wrong_asset)'), refunds: { 'receipt-1': '7 wrong_asset' } },
  },
  {
    name: 'alone, after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('7', wrong)] },
    expected: { status: 'expired (wrong_asset)', refunds: { 'receipt-1': '7 wrong_asset' } },
  },
  {
    name: 'beside the right one',
    facts: { receipts: [aReceipt('7', { ...wrong, id: 'foreign' }), aReceipt('0.5')] },
    expected: { ...inFull, refunds: { foreign: '7 wrong_asset' } },
  },
]

const reorganised: PurchaseCase[] = [
  {
    name: 'before it was confirmed',
    facts: { receipts: [aReceipt('0.5', gone)] },
    expected: pending('0.5', ' (reorged)'),
  },
  {
    name: 'after completion',
    facts: { receipts: [aReceipt('0.5', { ...gone, wasConfirmed: true })] },
    expected: pending('0.5', ' (reorged)'),
  },
  {
    name: 'after completion and after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...gone, wasConfirmed: true })] },
    expected: { status: 'expired (reorged)' },
  },
  {
    name: 'after completion, and waiting for a block again',
    facts: { receipts: [aReceipt('0.5', { ...seen, wasConfirmed: true })] },
    expected: { status: 'processing (reorged)', reserved: '11000' },
  },
  {
    name: 'and confirmed again',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { wasConfirmed: true })] },
    expected: inFull,
  },
  {
    name: 'replaced by another payment',
    facts: { receipts: [aReceipt('0.5', gone), aReceipt('0.5', { ...seen, id: 'receipt-2' })] },
    expected: { status: 'processing', reserved: '11000' },
  },
  {
    name: 'one of two',
    facts: { receipts: [aReceipt('0.2'), aReceipt('0.3', { ...gone, id: 'receipt-2' })] },
    expected: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'one of two that were confirmed, and the other is too little',
    facts: {
      ...afterExpiry,
      receipts: [
        aReceipt('0.01'),
        aReceipt('0.49', { ...gone, wasConfirmed: true, id: 'receipt-2' }),
      ],
    },
    expected: { status: 'failed (underpaid)', refunds: { 'receipt-1': '0.01 underpaid' } },
  },
  {
    name: 'in something else',
    facts: { receipts: [aReceipt('7', { ...wrong, ...gone })] },
    expected: pending('0.5'),
  },
  {
    name: 'back after its reservation was given away, while the stage has tokens',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5')] },
    expected: inFull,
  },
  {
    name: 'back after its reservation was given away, first seen as the next stage was on sale',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5', { market: nextStage })] },
    expected: inFull,
  },
  {
    name: 'back after its reservation was given away, with a surplus paid when the next was on sale',
    facts: {
      ...afterExpiry,
      ...givenBack,
      receipts: [
        aReceipt('0.5', { market: nextStage }),
        aReceipt('0.1', { id: 'receipt-2', market: nextStage }),
      ],
    },
    expected: {
      ...completed('1200', '0.6', '11000', ' (overpaid)'),
      tokens: { 'stage-1': '11000', 'stage-2': '1155' },
    },
  },
  {
    name: 'back after its reservation was given away, when the stage has half of them',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5')] },
    room: '5500',
    expected: { ...completed('500', '0.25', '5500'), refunds: { 'receipt-1': '0.25 failed' } },
  },
  {
    name: 'back after its reservation was given away, when the stage has none',
    facts: { ...afterExpiry, ...givenBack, receipts: [aReceipt('0.5')] },
    room: '0',
    expected: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
]

const nothingSent: PurchaseCase[] = [
  {
    name: 'in something else, beside a full payment',
    facts: {
      receipts: [aReceipt('0', { id: 'receipt-2', isRightAsset: false }), aReceipt('0.5')],
    },
    expected: inFull,
  },
  {
    name: 'in something else, and nothing besides',
    facts: { receipts: [aReceipt('0', { isRightAsset: false })] },
    expected: pending('0.5', ' (wrong_asset)'),
  },
  {
    name: 'too late',
    facts: { ...afterExpiry, receipts: [aReceipt('0', late)] },
    expected: { status: 'expired (late)' },
  },
]

const failedMark = { kind: 'failed', at: minute(1) } as const
const heldMark = { kind: 'held', at: minute(2) } as const
const releasedMark = { kind: 'released', at: minute(3) } as const
const decided: PurchaseCase[] = [
  {
    name: 'the gateway failed, nothing paid',
    facts: { hasGatewayFailed: true },
    expected: { status: 'failed' },
  },
  {
    name: 'the gateway failed, paid all the same',
    facts: { hasGatewayFailed: true, receipts: [aReceipt('0.5')] },
    expected: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
  {
    name: 'the gateway failed, paid in part',
    facts: { hasGatewayFailed: true, receipts: [aReceipt('0.2')] },
    expected: { status: 'failed', refunds: { 'receipt-1': '0.2 failed' } },
  },
  {
    name: 'an operator failed it',
    facts: { marks: [failedMark], receipts: [aReceipt('0.5')] },
    expected: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
  {
    name: 'an operator held it: nothing is credited and nothing refunded',
    facts: { marks: [heldMark], receipts: [aReceipt('0.5')] },
    expected: { status: 'processing (held)', reserved: '11000' },
  },
  {
    name: 'held, and waiting for a block',
    facts: { marks: [heldMark], receipts: [aReceipt('0.5', seen)] },
    expected: { status: 'processing (held)', reserved: '11000' },
  },
  {
    name: 'held, underpaid, after the expiry',
    facts: { ...afterExpiry, marks: [heldMark], receipts: [aReceipt('0.01')] },
    expected: { status: 'processing (held)', reserved: '220' },
  },
  { name: 'held, nothing paid', facts: { marks: [heldMark] }, expected: pending('0.5') },
  {
    name: 'held, nothing paid, after the expiry',
    facts: { ...afterExpiry, marks: [heldMark] },
    expected: { status: 'expired' },
  },
  {
    name: 'held and released',
    facts: { marks: [heldMark, releasedMark], receipts: [aReceipt('0.5')] },
    expected: inFull,
  },
  {
    name: 'the newest mark counts, wherever it stands',
    facts: { marks: [releasedMark, failedMark, heldMark], receipts: [aReceipt('0.5')] },
    expected: inFull,
  },
  {
    name: 'of marks of the same instant the stricter one counts',
    facts: {
      marks: [failedMark, { ...heldMark, at: failedMark.at }],
      receipts: [aReceipt('0.5')],
    },
    expected: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
  {
    name: 'a mark counts more than its release at the same instant',
    facts: {
      marks: [heldMark, { ...releasedMark, at: heldMark.at }],
      receipts: [aReceipt('0.5')],
    },
    expected: { status: 'processing (held)', reserved: '11000' },
  },
  {
    name: 'its buyer withdrew at the instant at which the money was seen',
    facts: { reversal: { kind: 'withdrawn', at: minute(10) }, receipts: [aReceipt('0.5')] },
    expected: { status: 'failed (withdrawn)', refunds: { 'receipt-1': '0.5 withdrawn' } },
  },
]

describe.each([
  { event: 'late', cases: tooLate },
  { event: 'wrong asset', cases: wrongAsset },
  { event: 'a transfer of nothing', cases: nothingSent },
  { event: 'reorganised', cases: reorganised },
  { event: 'decided by others', cases: decided },
])('$event', ({ cases }) => {
  test.each(cases)('$name', ({ facts, room, expected }) => {
    expect(summaryOf(settleWith(facts, room))).toEqual(expected)
  })
})
