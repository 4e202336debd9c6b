import { describe, expect, test } from 'vitest'
import { formatDecimal, tokenAmount } from '#domain/money.ts'
import {
  type PurchaseFacts,
  type PurchaseOutcome,
  type ReceiptFact,
  settlePurchase,
  stagesOf,
} from '#domain/purchase.ts'
import {
  aReceipt,
  eth,
  exampleBonuses,
  minute,
  percent,
  priced,
  sameMarket,
  someFacts,
  someTerms,
  tokens,
} from '#tests/kit/domain-builders.ts'

/** An outcome as a person would tell it, without what is empty. */
type Told = {
  status: string
  reserved?: string
  due?: string
  usd?: string
  eth?: string
  tokens?: Record<string, string>
  refunds?: Record<string, string>
}

function tell(outcome: PurchaseOutcome): Told {
  const { status, reason, reserved, due, credited, allocations, refunds } = outcome
  const told: Told = { status: reason === null ? status : `${status} (${reason})` }
  if (reserved > 0n) told.reserved = formatDecimal(reserved, 18)
  if (due > 0n) told.due = formatDecimal(due, 18)
  if (credited.usd > 0n) told.usd = formatDecimal(credited.usd, 6)
  if (credited.crypto > 0n) told.eth = formatDecimal(credited.crypto, 18)
  if (allocations.length > 0) {
    told.tokens = Object.fromEntries(
      allocations.map(({ stageId, tokens }) => [stageId, formatDecimal(tokens, 18)]),
    )
  }
  if (refunds.length > 0) {
    told.refunds = Object.fromEntries(
      refunds.map(({ receiptId, amount, why }) => [
        receiptId,
        `${formatDecimal(amount, 18)} ${why}`,
      ]),
    )
  }
  return told
}

type Case = { name: string; facts: Partial<PurchaseFacts>; room?: string; told: Told }

const plenty = '1_000_000'
const afterExpiry = { chainReadThrough: minute(30) }
const late = { id: 'late-1', seenAt: minute(40) }
const seen = { state: 'seen' } as const
const gone = { state: 'gone' } as const

const dearerToken = { ...sameMarket, tokenPrice: priced('0.2') }
const cheaperToken = { ...sameMarket, tokenPrice: priced('0.05') }
const fallenEth = { ...sameMarket, cryptoPrice: priced('1000') }
const nextStage = { ...dearerToken, stageId: 'stage-2' }

const pending = (due: string, reason = '') => ({
  status: `pending${reason}`,
  due,
  reserved: '11000',
})
const completed = (
  usd: string,
  ethPaid: string,
  stage1: string,
  reason = '',
): Told & { status: string } => ({
  status: `completed${reason}`,
  usd,
  eth: ethPaid,
  tokens: { 'stage-1': stage1 },
})
const inFull = completed('1000', '0.5', '11000')

const unpaidAndExact: Case[] = [
  { name: 'nothing yet', facts: {}, told: pending('0.5') },
  { name: 'a chain never read', facts: { chainReadThrough: null }, told: pending('0.5') },
  {
    name: 'a chain read to just before the expiry expires nothing',
    facts: { chainReadThrough: new Date(minute(30).getTime() - 1) },
    told: pending('0.5'),
  },
  {
    name: 'nothing paid, chain read past the expiry',
    facts: afterExpiry,
    told: { status: 'expired' },
  },
  {
    name: 'exact, seen',
    facts: { receipts: [aReceipt('0.5', seen)] },
    told: { status: 'processing', reserved: '11000' },
  },
  { name: 'exact, confirmed', facts: { receipts: [aReceipt('0.5')] }, told: inFull },
  {
    name: 'exact, seen at the last instant, confirmed long after',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { seenAt: minute(30) })] },
    told: inFull,
  },
  {
    name: 'exact, on time, still unconfirmed after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', seen)] },
    told: { status: 'processing', reserved: '11000' },
  },
]

const under: Case[] = [
  {
    name: 'a part seen',
    facts: { receipts: [aReceipt('0.2', seen)] },
    told: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'a part confirmed',
    facts: { receipts: [aReceipt('0.2')] },
    told: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'a shortfall of 0.5 % counts as paid',
    facts: { receipts: [aReceipt('0.4975')] },
    told: completed('1000', '0.4975', '11000'),
  },
  {
    name: 'a shortfall one wei larger does not',
    facts: { receipts: [aReceipt('0.497499999999999999')] },
    told: pending('0.002500000000000001', ' (underpaid)'),
  },
  {
    name: 'pro rata at the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2')] },
    told: completed('400', '0.2', '4400', ' (underpaid)'),
  },
  {
    name: 'pro rata has to be worth the minimum: just',
    facts: { ...afterExpiry, receipts: [aReceipt('0.05')] },
    told: completed('100', '0.05', '1100', ' (underpaid)'),
  },
  {
    name: 'pro rata has to be worth the minimum: not quite',
    facts: { ...afterExpiry, receipts: [aReceipt('0.049999999999999999')] },
    told: {
      status: 'failed (underpaid)',
      refunds: { 'receipt-1': '0.049999999999999999 underpaid' },
    },
  },
  {
    name: 'at the expiry the verdict waits for what is not confirmed',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2', seen)] },
    told: { status: 'processing (underpaid)', reserved: '11000' },
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
    told: completed('100', '0.05', '1100', ' (late)'),
  },
]

const over: Case[] = [
  {
    name: '1 % over is credited at the locked price, however dear the market',
    facts: { receipts: [aReceipt('0.505', { market: dearerToken })] },
    told: completed('1010', '0.505', '11110'),
  },
  {
    name: '1 % over with no tokens left',
    facts: { receipts: [aReceipt('0.505')] },
    room: '0',
    told: { ...inFull, refunds: { 'receipt-1': '0.005 overpaid' } },
  },
  {
    name: 'more, at an unchanged market',
    facts: { receipts: [aReceipt('0.6')] },
    told: completed('1200', '0.6', '13200', ' (overpaid)'),
  },
  {
    name: 'more, when the token has become dearer: beyond 1 % at its new price',
    facts: { receipts: [aReceipt('0.6', { market: dearerToken })] },
    // 10,100 tokens for 0.505 ETH, 950 for 0.095 ETH, and 10 % on both.
    told: completed('1200', '0.6', '12155', ' (overpaid)'),
  },
  {
    name: 'more, when the coin has fallen: beyond 1 % at its new price',
    facts: { receipts: [aReceipt('0.6', { market: fallenEth })] },
    told: completed('1105', '0.6', '12155', ' (overpaid)'),
  },
  {
    name: 'more, when the token has become cheaper: at the locked price',
    facts: { receipts: [aReceipt('0.6', { market: cheaperToken })] },
    told: completed('1200', '0.6', '13200', ' (overpaid)'),
  },
  {
    name: 'more, when the next stage is on sale: the surplus comes out of that',
    facts: { receipts: [aReceipt('0.6', { market: nextStage })] },
    told: {
      ...completed('1200', '0.6', '11000', ' (overpaid)'),
      tokens: { 'stage-1': '11000', 'stage-2': '1155' },
    },
  },
  {
    name: 'more, when nothing is on sale: beyond 1 % there is no price',
    facts: { receipts: [aReceipt('0.6', { market: null })] },
    told: {
      ...completed('1010', '0.505', '11110', ' (overpaid)'),
      refunds: { 'receipt-1': '0.095 overpaid' },
    },
  },
  {
    name: 'more than the maximum; the higher tier counts for all of it',
    facts: { receipts: [aReceipt('3')] },
    told: {
      ...completed('5000', '2.5', '57500', ' (overpaid)'),
      refunds: { 'receipt-1': '0.5 overpaid' },
    },
  },
  {
    name: 'more than the stage has left',
    facts: { receipts: [aReceipt('0.6')] },
    room: '550',
    told: {
      ...completed('1050', '0.525', '11550', ' (overpaid)'),
      refunds: { 'receipt-1': '0.075 overpaid' },
    },
  },
  {
    name: 'a second payment after completion',
    facts: {
      receipts: [aReceipt('0.5'), aReceipt('0.5', { id: 'receipt-2', seenAt: minute(15) })],
    },
    told: completed('2000', '1', '23000', ' (overpaid)'),
  },
]

const several: Case[] = [
  {
    name: 'two receipts of one chain transaction',
    facts: { receipts: [aReceipt('0.2', { id: 'tx:0' }), aReceipt('0.3', { id: 'tx:1' })] },
    told: inFull,
  },
  {
    name: 'one confirmed, one seen',
    facts: { receipts: [aReceipt('0.2'), aReceipt('0.3', { ...seen, id: 'receipt-2' })] },
    told: { status: 'processing', reserved: '11000' },
  },
  {
    name: 'a surplus that is not confirmed does not hold up the rest',
    facts: { receipts: [aReceipt('0.5'), aReceipt('0.3', { ...seen, id: 'receipt-2' })] },
    told: inFull,
  },
]

const tooLate: Case[] = [
  {
    name: 'exact, at an unchanged market',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', late)] },
    told: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'one millisecond late is late',
    facts: {
      ...afterExpiry,
      receipts: [aReceipt('0.5', { seenAt: new Date(minute(30).getTime() + 1), market: null })],
    },
    told: { status: 'expired (late)', refunds: { 'receipt-1': '0.5 late' } },
  },
  {
    name: 'seen: it will buy, though nothing is held for it',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, ...seen })] },
    told: { status: 'processing (late)' },
  },
  {
    name: 'seen before the chain was read past the expiry',
    facts: { receipts: [aReceipt('0.5', { ...late, ...seen })] },
    told: { status: 'processing (late)', reserved: '11000' },
  },
  {
    name: 'at a dearer token, from the stage that is on sale',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: nextStage })] },
    told: { ...completed('1000', '0.5', '', ' (late)'), tokens: { 'stage-2': '5500' } },
  },
  {
    name: 'at a cheaper token: the locked price',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: cheaperToken })] },
    told: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'at a fallen coin',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: fallenEth })] },
    told: completed('500', '0.5', '5500', ' (late)'),
  },
  {
    name: 'when nothing is on sale',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...late, market: null })] },
    told: { status: 'expired (late)', refunds: { 'late-1': '0.5 late' } },
  },
  {
    name: 'when nothing is left',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', late)] },
    room: '0',
    told: { status: 'expired (late)', refunds: { 'late-1': '0.5 late' } },
  },
  {
    name: 'when little is left',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', late)] },
    room: '1100',
    told: {
      ...completed('100', '0.05', '1100', ' (late)'),
      refunds: { 'late-1': '0.45 late' },
    },
  },
  {
    name: 'worth less than the minimum',
    facts: { ...afterExpiry, receipts: [aReceipt('0.04', late)] },
    told: { status: 'expired (late)', refunds: { 'late-1': '0.04 late' } },
  },
  {
    name: 'the rest of an underpayment',
    facts: { ...afterExpiry, receipts: [aReceipt('0.2'), aReceipt('0.3', late)] },
    told: completed('1000', '0.5', '11000', ' (late)'),
  },
  {
    name: 'little on time and little late, together the minimum',
    facts: { ...afterExpiry, receipts: [aReceipt('0.03'), aReceipt('0.02', late)] },
    told: completed('100', '0.05', '1100', ' (late)'),
  },
  {
    name: 'little on time and little late, together too little',
    facts: { ...afterExpiry, receipts: [aReceipt('0.03'), aReceipt('0.01', late)] },
    told: {
      status: 'failed (underpaid)',
      refunds: { 'receipt-1': '0.03 underpaid', 'late-1': '0.01 late' },
    },
  },
  {
    name: 'once more, after a payment on time',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5'), aReceipt('0.5', late)] },
    told: completed('2000', '1', '23000', ' (overpaid)'),
  },
]

const wrong = { isRightAsset: false }
const wrongAsset: Case[] = [
  {
    name: 'alone, seen',
    facts: { receipts: [aReceipt('7', { ...wrong, ...seen })] },
    told: pending('0.5', ' (wrong_asset)'),
  },
  {
    name: 'alone, confirmed',
    facts: { receipts: [aReceipt('7', wrong)] },
    told: { ...pending('0.5', ' (wrong_asset)'), refunds: { 'receipt-1': '7 wrong_asset' } },
  },
  {
    name: 'alone, after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('7', wrong)] },
    told: { status: 'expired (wrong_asset)', refunds: { 'receipt-1': '7 wrong_asset' } },
  },
  {
    name: 'beside the right one',
    facts: { receipts: [aReceipt('7', { ...wrong, id: 'foreign' }), aReceipt('0.5')] },
    told: { ...inFull, refunds: { foreign: '7 wrong_asset' } },
  },
]

const reorganised: Case[] = [
  {
    name: 'before it was confirmed',
    facts: { receipts: [aReceipt('0.5', gone)] },
    told: pending('0.5', ' (reorged)'),
  },
  {
    name: 'after completion',
    facts: { receipts: [aReceipt('0.5', { ...gone, wasConfirmed: true })] },
    told: pending('0.5', ' (reorged)'),
  },
  {
    name: 'after completion and after the expiry',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { ...gone, wasConfirmed: true })] },
    told: { status: 'expired (reorged)' },
  },
  {
    name: 'after completion, and waiting for a block again',
    facts: { receipts: [aReceipt('0.5', { ...seen, wasConfirmed: true })] },
    told: { status: 'processing (reorged)', reserved: '11000' },
  },
  {
    name: 'and confirmed again',
    facts: { ...afterExpiry, receipts: [aReceipt('0.5', { wasConfirmed: true })] },
    told: inFull,
  },
  {
    name: 'replaced by another payment',
    facts: { receipts: [aReceipt('0.5', gone), aReceipt('0.5', { ...seen, id: 'receipt-2' })] },
    told: { status: 'processing', reserved: '11000' },
  },
  {
    name: 'one of two',
    facts: { receipts: [aReceipt('0.2'), aReceipt('0.3', { ...gone, id: 'receipt-2' })] },
    told: pending('0.3', ' (underpaid)'),
  },
  {
    name: 'back after its reservation was given away, while the stage has tokens',
    facts: { ...afterExpiry, reservationLeft: tokenAmount(0n), receipts: [aReceipt('0.5')] },
    told: inFull,
  },
  {
    name: 'back after its reservation was given away, when the stage has half of them',
    facts: { ...afterExpiry, reservationLeft: tokenAmount(0n), receipts: [aReceipt('0.5')] },
    room: '5500',
    told: { ...completed('500', '0.25', '5500'), refunds: { 'receipt-1': '0.25 failed' } },
  },
  {
    name: 'back after its reservation was given away, when the stage has none',
    facts: { ...afterExpiry, reservationLeft: tokenAmount(0n), receipts: [aReceipt('0.5')] },
    room: '0',
    told: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
]

const failedMark = { kind: 'failed', at: minute(1) } as const
const heldMark = { kind: 'held', at: minute(2) } as const
const releasedMark = { kind: 'released', at: minute(3) } as const
const decided: Case[] = [
  {
    name: 'the gateway failed, nothing paid',
    facts: { hasGatewayFailed: true },
    told: { status: 'failed' },
  },
  {
    name: 'the gateway failed, paid all the same',
    facts: { hasGatewayFailed: true, receipts: [aReceipt('0.5')] },
    told: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
  {
    name: 'an operator failed it',
    facts: { marks: [failedMark], receipts: [aReceipt('0.5')] },
    told: { status: 'failed', refunds: { 'receipt-1': '0.5 failed' } },
  },
  {
    name: 'an operator held it: nothing is credited and nothing refunded',
    facts: { marks: [heldMark], receipts: [aReceipt('0.5')] },
    told: { status: 'processing (held)', reserved: '11000' },
  },
  {
    name: 'held, underpaid, after the expiry',
    facts: { ...afterExpiry, marks: [heldMark], receipts: [aReceipt('0.01')] },
    told: { status: 'processing (held)', reserved: '11000' },
  },
  { name: 'held, nothing paid', facts: { marks: [heldMark] }, told: pending('0.5') },
  {
    name: 'held and released',
    facts: { marks: [heldMark, releasedMark], receipts: [aReceipt('0.5')] },
    told: inFull,
  },
  {
    name: 'the newest mark counts, wherever it stands',
    facts: { marks: [releasedMark, failedMark, heldMark], receipts: [aReceipt('0.5')] },
    told: inFull,
  },
]

const settleWith = (facts: Partial<PurchaseFacts>, room = plenty) =>
  settlePurchase(someFacts(facts), () => tokens(room))

describe.each([
  { event: 'unpaid or exact', cases: unpaidAndExact },
  { event: 'underpaid', cases: under },
  { event: 'overpaid', cases: over },
  { event: 'several receipts', cases: several },
  { event: 'late', cases: tooLate },
  { event: 'wrong asset', cases: wrongAsset },
  { event: 'reorganised', cases: reorganised },
  { event: 'decided by others', cases: decided },
])('$event', ({ cases }) => {
  test.each(cases)('$name', ({ facts, room, told }) => {
    expect(tell(settleWith(facts, room))).toEqual(told)
  })
})

test('receipts are credited in the order in which they were seen, not recorded', () => {
  const first = aReceipt('0.5', { id: 'b', seenAt: minute(5) })
  const second = aReceipt('0.5', { id: 'a', seenAt: minute(6) })
  const outcomes = [
    [first, second],
    [second, first],
  ].map((receipts) => settleWith({ receipts }, '0'))

  expect(outcomes.map((outcome) => tell(outcome).refunds)).toEqual([
    { a: '0.5 overpaid' },
    { a: '0.5 overpaid' },
  ])
})

test('the confirmations are the fewest of the receipts that count', () => {
  const receipts: ReceiptFact[] = [
    aReceipt('0.2', { id: 'a', state: 'seen', confirmations: 1 }),
    aReceipt('0.3', { id: 'b', confirmations: 5 }),
    aReceipt('9', { id: 'foreign', isRightAsset: false, state: 'seen' }),
    aReceipt('9', { id: 'gone', state: 'gone' }),
  ]

  expect(settleWith({ receipts }).confirmations).toBe(1)
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

  expect(tell(settleWith(facts)).tokens).toEqual({ 'stage-1': '13000' })
  expect(tell(settleWith({ ...facts, isFirstPurchaseBonusLost: true })).tokens).toEqual({
    'stage-1': '11000',
  })
})

test('a refusal stands: a stage that had too few tokens is not asked again', () => {
  const facts = someFacts({ receipts: [aReceipt('0.6')] })
  const { grants, reservationLeft } = settlePurchase(facts, () => tokens('550'))
  const again = settlePurchase({ ...facts, grants, reservationLeft }, () => tokens(plenty))

  expect(grants).toEqual([
    { receiptId: 'receipt-1', stageId: 'stage-1', tokens: tokens('550'), isShort: true },
  ])
  expect(tell(again).refunds).toEqual({ 'receipt-1': '0.075 overpaid' })
})

test('grants of one settlement do not take the same tokens twice', () => {
  const receipts = [
    aReceipt('0.5', { id: 'a', seenAt: minute(31) }),
    aReceipt('0.5', { id: 'b', seenAt: minute(32) }),
  ]
  const outcome = settleWith({ ...afterExpiry, receipts }, '16500')

  expect(tell(outcome)).toEqual({
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
  expect(tell(outcome).refunds).toEqual({ 'receipt-1': '0.09 overpaid' })
})

test('the stages whose counters a settlement may change', () => {
  const receipts = [
    aReceipt('0.5', { market: { ...sameMarket, stageId: 'stage-3' } }),
    aReceipt('0.5', { market: null }),
  ]
  const grants = [{ receiptId: 'x', stageId: 'stage-2', tokens: tokens('1'), isShort: false }]

  expect(stagesOf(someFacts({ receipts, grants }))).toEqual(['stage-1', 'stage-2', 'stage-3'])
})
