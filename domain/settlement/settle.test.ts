import { expect, test } from 'vitest'
import { cryptoAmount, tokenAmount } from '#domain/money.ts'
import type { ReceiptFact } from './facts.ts'
import { settlePurchase } from './settle.ts'
import {
  aReceipt,
  dollars,
  eth,
  exampleBonuses,
  minute,
  percent,
  priced,
  sameMarket,
  someFacts,
  someTerms,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import {
  afterExpiry,
  completed,
  dearerToken,
  late,
  settleWith,
  summaryOf,
} from '#tests/kit/model/purchase-summary.ts'

test('receipts are credited in the order in which they were seen, not recorded', () => {
  const first = aReceipt('0.5', { id: 'b', seenAt: minute(5) })
  const second = aReceipt('0.5', { id: 'a', seenAt: minute(6) })
  const outcomes = [
    [first, second],
    [second, first],
  ].map((receipts) => settleWith({ receipts }, '0'))

  expect(outcomes.map((outcome) => summaryOf(outcome).refunds)).toEqual([
    { a: '0.5 overpaid' },
    { a: '0.5 overpaid' },
  ])
})

test('the confirmations are those of the receipt that lacks the most, of those that count', () => {
  const receipts: ReceiptFact[] = [
    aReceipt('0.2', { id: 'a', state: 'seen', confirmations: 1 }),
    aReceipt('0.3', { id: 'b', confirmations: 5 }),
    aReceipt('9', { id: 'foreign', isRightAsset: false, state: 'seen' }),
    aReceipt('9', { id: 'gone', state: 'gone' }),
  ]

  expect(settleWith({ receipts }).confirmations).toBe(1)
  const dear = aReceipt('9', {
    id: 'c',
    state: 'seen',
    confirmations: 5,
    requiredConfirmations: 12,
  })
  expect(settleWith({ receipts: [...receipts, dear] }).confirmations).toBe(5)
  expect(settleWith({}).confirmations).toBe(0)
})

test('a completed purchase names each bonus for what was really paid', () => {
  const { credited } = settleWith({ receipts: [aReceipt('1')] })

  expect(credited.base).toBe(tokens('20000'))
  expect(credited.bonuses).toEqual({ base_bonus: tokens('2000'), spending_bonus: tokens('1000') })
})

test('the bonus for a first purchase is not credited once another purchase has it', () => {
  const terms = someTerms({
    lockedBonuses: {
      ...exampleBonuses,
      flat: { ...exampleBonuses.flat, first_purchase_bonus: percent('20') },
    },
    reserved: tokens('13000'),
  })
  const facts = { ...afterExpiry, terms, receipts: [aReceipt('0.5', late)] }

  expect(summaryOf(settleWith(facts)).tokens).toEqual({ 'stage-1': '13000' })
  expect(summaryOf(settleWith({ ...facts, isFirstPurchaseBonusLost: true })).tokens).toEqual({
    'stage-1': '11000',
  })
})

test('a refusal is final: a stage that had too few tokens is not asked again', () => {
  const facts = someFacts({ receipts: [aReceipt('0.6')] })
  const { grants, reservationLeft } = settlePurchase(facts, () => tokens('550'))
  const again = settlePurchase({ ...facts, grants, reservationLeft }, () => tokens('1_000_000'))

  expect(grants).toEqual([
    { receiptId: 'receipt-1', stageId: 'stage-1', tokens: tokens('550'), isShort: true },
  ])
  expect(summaryOf(again).refunds).toEqual({ 'receipt-1': '0.075 overpaid' })
})

test('a grant that is not needed any more goes back to its stage', () => {
  const grant = { receiptId: 'receipt-1', stageId: 'stage-1', tokens: tokens('550'), isShort: true }
  const needed = settleWith({ receipts: [aReceipt('0.6')], grants: [grant] })
  const paidExactly = settleWith({ receipts: [aReceipt('0.5')], grants: [grant] })
  const gone = settleWith({ receipts: [aReceipt('0.6', { state: 'gone' })], grants: [grant] })

  expect(needed.grants).toEqual([grant])
  expect(paidExactly.grants).toEqual([])
  expect(gone.grants).toEqual([])
})

test('money at the price of the market is rounded down to a millionth of a dollar', () => {
  const market = { ...dearerToken, cryptoPrice: priced('1999.999999999999') }
  const receipts = [aReceipt('0.6', { ...late, market })]
  const { credited } = settleWith({ ...afterExpiry, receipts })

  // 0.6 ETH for $1,199.9999999999994, and what that buys at $0.20.
  expect(credited.usd).toBe(dollars('1199.999999'))
  expect(credited.base).toBe(tokens('5999.999995'))
})

test('grants of one settlement do not take the same tokens twice', () => {
  const receipts = [
    aReceipt('0.5', { id: 'a', seenAt: minute(31) }),
    aReceipt('0.5', { id: 'b', seenAt: minute(32) }),
  ]
  const reservationLeft = tokenAmount(0n)
  const outcome = settleWith({ ...afterExpiry, reservationLeft, receipts }, '16500')

  expect(summaryOf(outcome)).toEqual({
    ...completed('1500', '0.75', '16500', ' (late)'),
    refunds: { b: '0.25 late' },
  })
})

test('a token that cannot be divided is not paid for in part', () => {
  const terms = someTerms({
    tokenDecimals: 0,
    tokenPrice: priced('100'),
    reserved: tokenAmount(10n),
    lockedBonuses: { flat: {}, spending: [] },
  })
  const market = { ...sameMarket, tokenPrice: terms.tokenPrice }
  const facts = someFacts({ terms, receipts: [aReceipt('0.74', { market })] })
  const outcome = settlePurchase(facts, () => tokenAmount(3n))

  expect(outcome.allocations).toEqual([{ stageId: 'stage-1', tokens: 13n }])
  expect(summaryOf(outcome).refunds).toEqual({ 'receipt-1': '0.09 overpaid' })
})

test('who pays in thousands of parts is credited some of them, asked for few, and owed the rest', () => {
  const receipts = [
    aReceipt('1', { id: 'whole', seenAt: minute(1) }),
    ...Array.from({ length: 3000 }, (_, place) =>
      aReceipt('0.0001', { id: `speck ${place}`, seenAt: minute(2) }),
    ),
  ]
  let asked = 0
  const outcome = settlePurchase(someFacts({ receipts }), () => {
    asked += 1
    return tokens('1000000')
  })
  expect(outcome.status).toBe('completed')
  expect(asked).toBeLessThanOrEqual(20)
  expect(outcome.grants.length).toBeLessThanOrEqual(20)
  const sum = (amounts: readonly bigint[]) => amounts.reduce((one, other) => one + other, 0n)
  const owed = sum(outcome.refunds.map(({ amount }) => amount))
  expect(owed + outcome.credited.crypto).toBe(sum(receipts.map(({ amount }) => amount)))
  expect(new Set(outcome.refunds.map(({ receiptId }) => receiptId)).size).toBe(
    outcome.refunds.length,
  )
})

test.each([
  ['on time', 1],
  ['late', 31],
])('specks that somebody else sends with a payment %s do not take its place', (_, at) => {
  const specks = Array.from({ length: 3000 }, (_, place) =>
    aReceipt('0.00001', { id: `a speck ${place}`, seenAt: minute(at) }),
  )
  const whole = aReceipt('1', { id: 'the whole', seenAt: minute(at) })
  const facts = { ...someFacts({ receipts: [...specks, whole] }), chainReadThrough: minute(40) }
  const outcome = settlePurchase(facts, () => tokens('20000000'))
  expect(outcome.status).toBe('completed')
  expect(outcome.credited.crypto).toBeGreaterThanOrEqual(whole.amount)
  expect(outcome.refunds.map(({ receiptId }) => receiptId)).not.toContain('the whole')
})

test('paying a rest back takes no receipt’s place among the largest', () => {
  const big = aReceipt('2', { id: 'big', seenAt: minute(1) })
  const others = Array.from({ length: 200 }, (_, place) =>
    aReceipt('1.5', { id: `other ${place}`, seenAt: minute(2) }),
  )
  const settled = (receipt: typeof big) =>
    settlePurchase(someFacts({ receipts: [receipt, ...others] }), () => tokens('0'))
  const before = settled(big)
  const rest = before.refunds.find(({ receiptId }) => receiptId === 'big')
  expect(rest?.amount).toBeGreaterThan(0n)
  const after = settled({ ...big, paidBack: cryptoAmount(rest?.amount ?? 0n) })
  expect(after.credited).toEqual(before.credited)
  expect(after.refunds).toEqual(before.refunds.filter(({ receiptId }) => receiptId !== 'big'))
})

const wholeTokens = someTerms({
  tokenDecimals: 0,
  reserved: tokenAmount(10_000n),
  lockedBonuses: { flat: {}, spending: [] },
  minUsd: dollars('0'),
})

test('money that buys not even the smallest part of a token is owed back whole', () => {
  const facts = { ...afterExpiry, terms: wholeTokens, receipts: [aReceipt('0.00004')] }

  expect(summaryOf(settleWith(facts))).toEqual({
    status: 'failed',
    refunds: { 'receipt-1': '0.00004 failed' },
  })
})

test('late money takes only what whole tokens cost where the stage has no more', () => {
  const market = { ...sameMarket, tokenPrice: priced('0.20001') }
  const facts = { ...afterExpiry, terms: wholeTokens, reservationLeft: tokenAmount(0n) }
  const settle = (paid: string, room: bigint) =>
    settlePurchase(someFacts({ ...facts, receipts: [aReceipt(paid, { ...late, market })] }), () =>
      tokenAmount(room),
    )

  const whole = settle('0.5', 10_000n)
  expect(whole.credited.base).toBe(4_999n)
  expect(whole.refunds).toEqual([])

  const cut = settle('0.6', 4_999n)
  expect(cut.credited.base).toBe(4_999n)
  expect(cut.refunds).toEqual([{ receiptId: 'late-1', amount: eth('0.100075005'), why: 'late' }])
})
