import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { price, tokenAmount } from '#domain/money.ts'
import type { SaleHalt, StageProgress } from './sale.ts'
import {
  finalPrice,
  isSoldOut,
  opensAt,
  progressOf,
  remaining,
  saleStatus,
  stagePrice,
  stageStatuses,
} from './stage.ts'
import {
  aSale,
  aStage,
  minute,
  priced,
  progress,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const first = aStage({ id: 'stage-1', startsAt: minute(10), endsAt: minute(20) })
const second = aStage({ id: 'stage-2', startsAt: minute(30), endsAt: minute(40) })
const third = aStage({ id: 'stage-3', startsAt: minute(40), endsAt: null })
const sale = aSale({ stages: [first, second, third] })

const all = progress('1_000_000')
const allReserved = progress('0', '1_000_000')
const notStarted = (minutes: number) => ({ status: 'NOT_STARTED', startsAt: minute(minutes) })

type Row = {
  name: string
  at: number
  sold?: Record<string, StageProgress>
  is: object
}

const rows: Row[] = [
  { name: 'before the start', at: 9, is: notStarted(10) },
  { name: 'at the start', at: 10, is: { status: 'ACTIVE', stage: first } },
  { name: 'just before the end', at: 19.999, is: { status: 'ACTIVE', stage: first } },
  { name: 'at the end, with a gap before the next', at: 20, is: notStarted(30) },
  { name: 'at the next start', at: 30, is: { status: 'ACTIVE', stage: second } },
  { name: 'handed over by date', at: 40, is: { status: 'ACTIVE', stage: third } },
  { name: 'a stage without an end stays', at: 1e6, is: { status: 'ACTIVE', stage: third } },
  {
    name: 'sold out early: the next opens before its start',
    at: 15,
    sold: { 'stage-1': all },
    is: { status: 'ACTIVE', stage: second },
  },
  {
    name: 'sold out early: the next stays open when the first end has passed',
    at: 25,
    sold: { 'stage-1': all },
    is: { status: 'ACTIVE', stage: second },
  },
  {
    name: 'sold out after its end: the next waits for its own start',
    at: 25,
    sold: { 'stage-1': { ...all, soldOutAt: minute(22) } },
    is: notStarted(30),
  },
  {
    name: 'sold out early, whatever is taken back before its end: the next stays open',
    at: 19,
    sold: { 'stage-1': { ...allReserved, soldOutAt: minute(15) } },
    is: { status: 'ACTIVE', stage: second },
  },
  {
    name: 'sold out early, whatever is taken back after its end: the next stays open',
    at: 25,
    sold: { 'stage-1': { ...progress('0'), soldOutAt: minute(15) } },
    is: { status: 'ACTIVE', stage: second },
  },
  {
    name: 'the last sold out, and some of it was taken back: it is on sale again',
    at: 50,
    sold: { 'stage-3': { ...progress('999_000'), soldOutAt: minute(45) } },
    is: { status: 'ACTIVE', stage: third },
  },
  {
    name: 'two sold out early',
    at: 15,
    sold: { 'stage-1': all, 'stage-2': all },
    is: { status: 'ACTIVE', stage: third },
  },
  {
    name: 'all reserved is not sold out',
    at: 15,
    sold: { 'stage-1': allReserved },
    is: { status: 'ACTIVE', stage: first },
  },
  {
    name: 'all sold out',
    at: 15,
    sold: { 'stage-1': all, 'stage-2': all, 'stage-3': all },
    is: { status: 'ENDED' },
  },
  {
    name: 'the last sold out, the others by date',
    at: 50,
    sold: { 'stage-3': all },
    is: { status: 'ENDED' },
  },
]

describe('saleStatus', () => {
  test.each(rows)('$name', ({ at, sold = {}, is }) => {
    expect(saleStatus(sale, new Map(Object.entries(sold)), null, minute(at))).toEqual(is)
  })

  test.each([
    { at: 9, status: 'NOT_STARTED' },
    { at: 15, status: 'PAUSED' },
    { at: 25, status: 'NOT_STARTED' },
  ])('paused at minute $at is $status', ({ at, status }) => {
    expect(saleStatus(sale, new Map(), 'paused', minute(at)).status).toBe(status)
  })

  test('a pause does not outlive the sale', () => {
    const sold = new Map(sale.stages.map((stage) => [stage.id, all]))

    expect(saleStatus(sale, sold, 'paused', minute(50))).toEqual({ status: 'ENDED' })
  })

  test.each([9, 15, 25, 50])('closed at minute %d is over', (at) => {
    expect(saleStatus(sale, new Map(), 'closed', minute(at))).toEqual({ status: 'ENDED' })
  })
})

describe('stageStatuses', () => {
  const statuses = (
    at: number,
    sold: Record<string, StageProgress> = {},
    halt: SaleHalt | null = null,
    stages = sale.stages,
  ) =>
    stageStatuses(aSale({ stages }), new Map(Object.entries(sold)), halt, minute(at)).map(
      ({ status }) => status,
    )

  test.each([
    { name: 'before the start', at: 9, are: ['upcoming', 'upcoming', 'upcoming'] },
    { name: 'in the first', at: 10, are: ['active', 'upcoming', 'upcoming'] },
    { name: 'between two stages', at: 20, are: ['ended', 'upcoming', 'upcoming'] },
    { name: 'in the last', at: 40, are: ['ended', 'ended', 'active'] },
    {
      name: 'sold out early: the next is open',
      at: 15,
      sold: { 'stage-1': all },
      are: ['ended', 'active', 'upcoming'],
    },
    {
      name: 'all reserved is not over',
      at: 15,
      sold: { 'stage-1': allReserved },
      are: ['active', 'upcoming', 'upcoming'],
    },
    {
      name: 'a later one that sold out before an earlier one was given more tokens is over',
      at: 15,
      sold: { 'stage-2': all },
      are: ['active', 'ended', 'upcoming'],
    },
    {
      name: 'sold out early, and some of it was taken back: the next is open',
      at: 15,
      sold: { 'stage-1': { ...progress('999_000'), soldOutAt: minute(12) } },
      are: ['ended', 'active', 'upcoming'],
    },
    { name: 'over', at: 50, sold: { 'stage-3': all }, are: ['ended', 'ended', 'ended'] },
  ])('$name', ({ at, sold, are }) => {
    expect(statuses(at, sold)).toEqual(are)
  })

  test('a pause is that of the stage that would be open', () => {
    expect(statuses(9, {}, 'paused')).toEqual(['upcoming', 'upcoming', 'upcoming'])
    expect(statuses(15, {}, 'paused')).toEqual(['paused', 'upcoming', 'upcoming'])
    expect(statuses(50, { 'stage-3': all }, 'paused')).toEqual(['ended', 'ended', 'ended'])
  })

  test('says of each stage what saleStatus says of the sale', patiently, () => {
    const span = fc.record({
      gap: fc.nat({ max: 3 }),
      length: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      sold: fc.constantFrom('0', '999_999', '1_000_000'),
      soldOutAt: fc.option(fc.nat({ max: 20 }), { nil: null }),
    })
    const spans = fc.array(span, { minLength: 1, maxLength: 5 })
    const halts = fc.constantFrom('paused' as const, 'closed' as const, null)
    fc.assert(
      fc.property(spans, halts, fc.nat({ max: 25 }), (parts, halt, at) => {
        let from = 0
        const stages = parts.map(({ gap, length }, index) => {
          const starts = from + gap
          from = starts + (length ?? 0)
          const endsAt = length === null ? null : minute(from)
          return aStage({ id: `stage-${index + 1}`, startsAt: minute(starts), endsAt })
        })
        const sold = new Map(
          parts.map(({ sold, soldOutAt }, index) => [
            `stage-${index + 1}`,
            { ...progress(sold), soldOutAt: soldOutAt === null ? null : minute(soldOutAt) },
          ]),
        )
        const example = aSale({ stages })
        const listed = stageStatuses(example, sold, halt, minute(at))
        const open = listed.filter(({ status }) => status === 'active' || status === 'paused')
        const is = saleStatus(example, sold, halt, minute(at))
        const active = saleStatus(example, sold, halt === 'paused' ? null : halt, minute(at))

        expect(listed.map(({ stage }) => stage)).toEqual(stages)
        expect(open.map(({ stage }) => stage)).toEqual(
          active.status === 'ACTIVE' ? [active.stage] : [],
        )
        expect(open.some(({ status }) => status === 'paused')).toBe(is.status === 'PAUSED')
        expect(listed.every(({ status }) => status === 'ended')).toBe(is.status === 'ENDED')
      }),
      randomRuns(1000),
    )
  })
})

describe('a remainder', () => {
  test('is what is neither sold nor reserved', () => {
    expect(remaining(first, progress('10', '5'))).toBe(tokens('999_985'))
    expect(remaining(first, progressOf(new Map(), first))).toBe(first.supply)
  })

  test.each([
    // A token costs 10 cents: a tenth of one is a cent.
    { left: '0.1', is: false },
    { left: '0.099999999999999999', is: true },
    { left: '0', is: true },
  ])('of $left tokens is sold out: $is', ({ left, is }) => {
    const sold = tokenAmount(first.supply - tokens(left))

    expect(isSoldOut(first, { sold, reserved: tokens('0') })).toBe(is)
  })
})

describe('stagePrice', () => {
  const rising = aStage({
    type: 'dynamic',
    tokenPrice: priced('0.1'),
    finalTokenPrice: priced('0.3'),
  })
  const falling = { ...rising, tokenPrice: priced('0.3'), finalTokenPrice: priced('0.1') }

  test.each([
    { sold: '0', up: '0.1', down: '0.3' },
    { sold: '250_000', up: '0.15', down: '0.25' },
    { sold: '1', up: '0.1000002', down: '0.2999998' },
    { sold: '1_000_000', up: '0.3', down: '0.1' },
    { sold: '2_000_000', up: '0.3', down: '0.1' },
  ])('with $sold sold', ({ sold, up, down }) => {
    expect(stagePrice(rising, tokens(sold))).toBe(priced(up))
    expect(stagePrice(falling, tokens(sold))).toBe(priced(down))
  })

  test('a fixed price does not change', () => {
    const fixed = aStage({ type: 'fixed', finalTokenPrice: priced('9') })

    expect(stagePrice(fixed, tokens('999_999'))).toBe(priced('0.1'))
  })

  test('moves with what is sold, never back and never beyond', patiently, () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 31n })
    const prices = fc.bigInt({ min: 1n, max: 10n ** 18n })
    fc.assert(
      fc.property(amounts, amounts, amounts, prices, prices, (supply, one, other, from, to) => {
        const stage = {
          ...rising,
          supply: tokenAmount(supply),
          tokenPrice: price(from),
          finalTokenPrice: price(to),
        }
        const [less, more] = one < other ? [one, other] : [other, one]
        const before = stagePrice(stage, tokenAmount(less))
        const after = stagePrice(stage, tokenAmount(more))
        const inOrder = from < to ? [from, before, after, to] : [to, after, before, from]

        expect(inOrder).toEqual(inOrder.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      }),
      randomRuns(1000),
    )
  })
})

describe('finalPrice', () => {
  const last = aStage({
    id: 'last',
    type: 'dynamic',
    tokenPrice: priced('0.1'),
    finalTokenPrice: priced('0.3'),
  })

  test.each([
    { name: 'the own one of the sale', own: '0.7', sold: all, is: '0.7' },
    { name: 'what the last stage sold out at', own: null, sold: all, is: '0.3' },
    {
      name: 'the same where only dust is left',
      own: null,
      sold: progress('999_999.999'),
      is: '0.3',
    },
    {
      name: 'what the last stage ran out of time at',
      own: null,
      sold: progress('500_000'),
      is: '0.2',
    },
    { name: 'its first price where nothing was sold', own: null, sold: undefined, is: '0.1' },
  ])('$name', ({ own, sold, is }) => {
    const ended = aSale({ stages: [first, last], finalPrice: own === null ? null : priced(own) })
    const soldOfStages = new Map(sold === undefined ? [] : [['last', sold]])

    expect(finalPrice(ended, soldOfStages)).toBe(priced(is))
  })
})

describe('opensAt', () => {
  const endless = aStage({ id: 'stage-1', startsAt: minute(10), endsAt: null })
  const next = aStage({ id: 'stage-2', startsAt: minute(20), endsAt: minute(30) })
  const afterNext = aStage({ id: 'stage-3', startsAt: minute(30), endsAt: null })
  const waiting = aSale({ stages: [endless, next, afterNext] })
  const soldOutAt = (at: number) => ({ ...all, soldOutAt: minute(at) })
  const opening = (ofSale: typeof sale, stage: typeof first, sold: Record<string, StageProgress>) =>
    opensAt(ofSale, new Map(Object.entries(sold)), stage)

  test.each([
    ['its start, if it is the first', waiting, endless, {}, minute(10)],
    ['its start, after a stage that ends by date', sale, second, {}, minute(30)],
    ['unknown below a stage that ends only by selling out', waiting, next, {}, null],
    ['unknown further below one', waiting, afterNext, {}, null],
    ['when that one sold out', waiting, next, { 'stage-1': soldOutAt(25) }, minute(25)],
    [
      'its start further below one that sold out, whatever was taken back',
      waiting,
      afterNext,
      { 'stage-1': { ...progress('0'), soldOutAt: minute(15) } },
      minute(30),
    ],
    ['when the one above sold out early', sale, second, { 'stage-1': soldOutAt(15) }, minute(15)],
    [
      'when the one above sold out early, whatever was taken back',
      sale,
      second,
      { 'stage-1': { ...allReserved, soldOutAt: minute(15) } },
      minute(15),
    ],
    [
      'its start, if the one above sold out late',
      sale,
      second,
      { 'stage-1': soldOutAt(20) },
      minute(30),
    ],
  ])('is %s', (_, ofSale, stage, sold, at) => {
    expect(opening(ofSale, stage, sold)).toEqual(at)
  })
})
