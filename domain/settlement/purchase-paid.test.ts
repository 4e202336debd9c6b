import { describe, expect, test } from 'vitest'
import { aReceipt, dollars, eth, minute, someTerms } from '#tests/kit/builders/domain-builders.ts'
import {
  type PurchaseCase,
  afterExpiry,
  cheaperToken,
  completed,
  dearerToken,
  fallenEth,
  inFull,
  nextStage,
  pending,
  settleWith,
  summaryOf,
  seen,
} from '#tests/kit/model/purchase-summary.ts'

const unpaidAndExact: PurchaseCase[] = [
  { name: 'nothing yet', facts: {}, expected: pending('0.5') },
  { name: 'a chain never read', facts: { chainReadThrough: null }, expected: pending('0.5') },
  {
    name: 'a chain read to just before the expiry expires nothing',
    facts: { chainReadThrough: new Date(minute(30).getTime() - 1) },
    expected: pending('0.5'),
  },
  {
    name: 'nothing paid, chain read past the expiry',
    facts: afterExpiry,
    expected: { status: 'expired' },
  },
  {
    name: 'exact, seen',
    facts: { receipts: [aReceipt('0.5', seen)] },
    expected: { status: 'processing', reserved: '11000' },
  },
  { name: 'exact, confirmed', facts: { receipts: [aReceipt('0.5')] }, expected: inFull },
  {
    name: 'exact, seen at the last instant, confirmed long after',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { seenAt: minute(30) })] },
    expected: inFull,
  },
  {
    name: 'exact, on time, still unconfirmed after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', seen)] },
    expected: { status: 'processing', reserved: '11000' },
  },
]

const under: PurchaseCase[] = [
  {
    name: 'a part seen',
    facts: { receipts: [aReceipt('0.2', seen)] },
    expected: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'a part confirmed',
    facts: { receipts: [aReceipt('0.2')] },
    expected: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'a part, and the rest is just enough for its rail',
    facts: { terms: someTerms({ railMinUsd: dollars('600') }), receipts: [aReceipt('0.2')] },
    expected: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'a part, and the rest is too little for its rail',
    facts: { terms: someTerms({ railMinUsd: dollars('600.000001') }), receipts: [aReceipt('0.2')] },
    expected: { status: 'pending (underpaid)', reserved: '11000' },
  },
  {
    name: 'a shortfall of 0.5 % counts as paid',
    facts: { receipts: [aReceipt('0.4975')] },
    expected: completed('1000', '0.4975', '11000'),
  },
  {
    name: 'a shortfall one wei larger does not',
    facts: { receipts: [aReceipt('0.497499999999999999')] },
    expected: pending('0.002500000000000001', ' (underpaid)'),
  },
  {
    name: 'pro rata at the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2')] },
    expected: completed('400', '0.2', '4400', ' (underpaid)'),
  },
  {
    name: 'pro rata has to be worth the minimum: just',
    facts: { ...afterExpiry, receipts: [aReceipt('0.05')] },
    expected: completed('100', '0.05', '1100', ' (underpaid)'),
  },
  {
    name: 'pro rata has to be worth the minimum: not quite',
    facts: { ...afterExpiry, receipts: [aReceipt('0.049999999999999999')] },
    expected: {
      status: 'failed (underpaid)',
      refunds: { 'receipt-1': '0.049999999999999999 underpaid' },
    },
  },
  {
    name: 'at the expiry the verdict waits for what is not confirmed',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2', seen)] },
    expected: { status: 'processing (underpaid)', reserved: '4400' },
  },
  {
    name: 'a part is confirmed, another on time is not: the verdict waits for that too',
    facts: {
      ...afterExpiry,
      receipts: [aReceipt('0.2'), aReceipt('0.1', { ...seen, id: 'receipt-2' })],
    },
    expected: { status: 'processing (underpaid)', reserved: '6600' },
  },
  {
    name: 'little is seen: the verdict waits, and holds no more than that little could buy',
    facts: { ...afterExpiry, receipts: [aReceipt('0.01', seen)] },
    expected: { status: 'processing (underpaid)', reserved: '220' },
  },
  {
    name: 'without a minimum every part counts',
    facts: {
      ...afterExpiry,
      terms: someTerms({ minUsd: dollars('0') }),
      receipts: [aReceipt('0.0000005')],
    },
    expected: completed('0.001', '0.0000005', '0.011', ' (underpaid)'),
  },
  {
    name: 'without a minimum nothing is still nothing',
    facts: { ...afterExpiry, terms: someTerms({ minUsd: dollars('0') }) },
    expected: { status: 'expired' },
  },
  {
    name: 'the minimum of a last remainder is the remainder',
    facts: {
      ...afterExpiry,
      terms: someTerms({
        minUsd: someTerms().usd,
        usd: someTerms().minUsd,
        cryptoDue: eth('0.05'),
      }),
      receipts: [aReceipt('0.05', { seenAt: minute(40) })],
    },
    expected: completed('100', '0.05', '1100', ' (late)'),
  },
]

const over: PurchaseCase[] = [
  {
    name: '1 % over is credited at the locked price, however dear the market',
    facts: { receipts: [aReceipt('0.505', { market: dearerToken })] },
    expected: completed('1010', '0.505', '11110'),
  },
  {
    name: '1 % over with no tokens left',
    facts: { receipts: [aReceipt('0.505')] },
    room: '0',
    expected: { ...inFull, refunds: { 'receipt-1': '0.005 overpaid' } },
  },
  {
    name: 'more, at an unchanged market',
    facts: { receipts: [aReceipt('0.6')] },
    expected: completed('1200', '0.6', '13200', ' (overpaid)'),
  },
  {
    name: 'more, when the token has become dearer: beyond 1 % at its new price',
    facts: { receipts: [aReceipt('0.6', { market: dearerToken })] },
    // 10,100 tokens for 0.505 ETH, 950 for 0.095 ETH, and 10 % on both.
    expected: completed('1200', '0.6', '12155', ' (overpaid)'),
  },
  {
    name: 'more, when the coin has fallen: beyond 1 % at its new price',
    facts: { receipts: [aReceipt('0.6', { market: fallenEth })] },
    expected: completed('1105', '0.6', '12155', ' (overpaid)'),
  },
  {
    name: 'more, when the token has become cheaper: at the locked price',
    facts: { receipts: [aReceipt('0.6', { market: cheaperToken })] },
    expected: completed('1200', '0.6', '13200', ' (overpaid)'),
  },
  {
    name: 'more, when the next stage is on sale: the surplus comes out of that',
    facts: { receipts: [aReceipt('0.6', { market: nextStage })] },
    expected: {
      ...completed('1200', '0.6', '11000', ' (overpaid)'),
      tokens: { 'stage-1': '11000', 'stage-2': '1155' },
    },
  },
  {
    name: 'more, when nothing is on sale: beyond 1 % there is no price',
    facts: { receipts: [aReceipt('0.6', { market: null })] },
    expected: {
      ...completed('1010', '0.505', '11110', ' (overpaid)'),
      refunds: { 'receipt-1': '0.095 overpaid' },
    },
  },
  {
    name: 'more than the maximum; the higher tier counts for all of it',
    facts: { receipts: [aReceipt('3')] },
    expected: {
      ...completed('5000', '2.5', '57500', ' (overpaid)'),
      refunds: { 'receipt-1': '0.5 overpaid' },
    },
  },
  {
    name: 'more than the stage has left',
    facts: { receipts: [aReceipt('0.6')] },
    room: '550',
    expected: {
      ...completed('1050', '0.525', '11550', ' (overpaid)'),
      refunds: { 'receipt-1': '0.075 overpaid' },
    },
  },
  {
    name: 'a second payment after completion',
    facts: {
      receipts: [aReceipt('0.5'), aReceipt('0.5', { id: 'receipt-2', seenAt: minute(15) })],
    },
    expected: completed('2000', '1', '23000', ' (overpaid)'),
  },
]

const several: PurchaseCase[] = [
  {
    name: 'two receipts of one chain transaction',
    facts: { receipts: [aReceipt('0.2', { id: 'tx:0' }), aReceipt('0.3', { id: 'tx:1' })] },
    expected: inFull,
  },
  {
    name: 'one confirmed, one seen',
    facts: { receipts: [aReceipt('0.2'), aReceipt('0.3', { ...seen, id: 'receipt-2' })] },
    expected: { status: 'processing', reserved: '11000' },
  },
  {
    name: 'a surplus that is not confirmed does not hold up the rest',
    facts: { receipts: [aReceipt('0.5'), aReceipt('0.3', { ...seen, id: 'receipt-2' })] },
    expected: inFull,
  },
]

describe.each([
  { event: 'unpaid or exact', cases: unpaidAndExact },
  { event: 'underpaid', cases: under },
  { event: 'overpaid', cases: over },
  { event: 'several receipts', cases: several },
])('$event', ({ cases }) => {
  test.each(cases)('$name', ({ facts, room, expected }) => {
    expect(summaryOf(settleWith(facts, room))).toEqual(expected)
  })
})
