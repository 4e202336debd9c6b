import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentage, type TokenAmount, tokenAmount } from '#domain/money.ts'
import type { ReleaseSchedule, Tranche } from '#domain/sale/offer.ts'
import {
  AT_ONCE,
  cumulativeAt,
  linearSchedule,
  releaseSchedule,
  monthsAfter,
} from '#domain/sale/release-schedule.ts'
import { aSale, aStage, percent, tokens } from '#tests/kit/builders/domain-builders.ts'
import { ownerReleases, type Release, released, releaseCalendar } from './release.ts'

const ALL = 1_000_000n

/** Up to 10 trillion tokens of 18 decimals, often tiny amounts. */
const amounts = fc
  .oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 31n), fc.constant(10n ** 31n))
  .map(tokenAmount)

/** Percentages that are 100 % in all, at months that ascend. */
const inTranches: fc.Arbitrary<ReleaseSchedule> = fc
  .record({
    cuts: fc.uniqueArray(fc.bigInt(1n, ALL - 1n), { maxLength: 20 }),
    months: fc.uniqueArray(fc.nat(120), { minLength: 21, maxLength: 21 }),
  })
  .map(({ cuts, months }) => {
    const sums = [...cuts.toSorted((one, other) => (one < other ? -1 : 1)), ALL]
    const ascending = months.toSorted((one, other) => one - other)
    const tranches = sums.map((sum, nth): Tranche => {
      const part = percentage(sum - (sums[nth - 1] ?? 0n))
      return { months: ascending[nth] ?? 0, percentage: part }
    })
    return releaseSchedule('tranches', tranches)
  })

const linear: fc.Arbitrary<ReleaseSchedule> = fc
  .record({
    first: fc.bigInt(0n, ALL - 1n),
    months: fc.integer({ min: 2, max: 120 }),
    cliff: fc.option(
      fc.record({ at: fc.integer({ min: 1, max: 119 }), share: fc.bigInt(0n, 99n) }),
    ),
  })
  .map(({ first, months, cliff }) =>
    linearSchedule({
      first: percentage(first),
      months,
      cliff: cliff && {
        months: Math.min(cliff.at, months - 1),
        percentage: percentage(((ALL - first) * cliff.share) / 100n),
      },
    }),
  )

const schedules = fc.oneof(inTranches, linear, fc.constant(AT_ONCE))

describe('a schedule', () => {
  it('is 100 % in all, in parts of more than nothing, at months that ascend', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const { tranches } = schedule
        expect(tranches.reduce((sum, tranche) => sum + tranche.percentage, 0n)).toBe(ALL)
        expect(tranches.every((tranche) => tranche.percentage > 0n)).toBe(true)
        const months = tranches.map((tranche) => tranche.months)
        expect(months).toEqual([...new Set(months)].toSorted((one, other) => one - other))
        expect(cumulativeAt(schedule, 120)).toBe(ALL)
      }),
    )
  })

  it('of equal parts has none that is off by more than a ten-thousandth of a percent', () => {
    const { tranches } = linearSchedule({ first: percent('1'), months: 7, cliff: null })
    expect(tranches.map((tranche) => tranche.percentage)).toEqual([
      10_000n,
      141_428n,
      141_429n,
      141_428n,
      141_429n,
      141_428n,
      141_429n,
      141_429n,
    ])
  })

  it('with a cliff releases nothing between the start and the cliff', () => {
    const schedule = linearSchedule({
      first: percent('10'),
      months: 6,
      cliff: { months: 3, percentage: percent('30') },
    })
    expect(schedule).toEqual({
      shape: 'cliff',
      tranches: [
        { months: 0, percentage: 100_000n },
        { months: 3, percentage: 300_000n },
        { months: 4, percentage: 200_000n },
        { months: 5, percentage: 200_000n },
        { months: 6, percentage: 200_000n },
      ],
    })
  })

  it('is instant wherever all is released at the start', () => {
    expect(linearSchedule({ first: percent('100'), months: 0, cliff: null })).toEqual(AT_ONCE)
    expect(releaseSchedule('tranches', AT_ONCE.tranches).shape).toBe('instant')
  })
})

describe('the releases of an owner', () => {
  it('add up to the tokens to the last unit, never fall, and none is off by more than a unit', () => {
    fc.assert(
      fc.property(amounts, schedules, (total, schedule) => {
        let [sum, before] = [0n, 0n]
        for (const tranche of schedule.tranches) {
          const now = released(total, schedule, tranche.months)
          const part = now - before
          expect(part).toBeGreaterThanOrEqual(0n)
          const distance = part * ALL - total * tranche.percentage
          expect(distance > -ALL && distance < ALL).toBe(true)
          sum += part
          before = now
        }
        expect(sum).toBe(total)
      }),
    )
  })

  it('of several stages are one calendar, whose sums are those of the stages', () => {
    const holdings = fc.array(fc.record({ tokens: amounts, schedule: schedules }), { maxLength: 6 })
    fc.assert(
      fc.property(holdings, (owned) => {
        const calendar = releaseCalendar(owned, null)
        const total = owned.reduce((sum, holding) => sum + holding.tokens, 0n)
        expect(calendar.at(-1)?.released ?? 0n).toBe(total)
        expect(calendar.reduce((sum, release) => sum + release.tokens, 0n)).toBe(total)
        expect(calendar.every((release) => release.tokens > 0n)).toBe(true)
        for (const { months, released: sum } of calendar) {
          const each = owned.map((holding) => released(holding.tokens, holding.schedule, months))
          expect(sum).toBe(each.reduce((all, part) => all + part, 0n))
        }
      }),
    )
  })

  it('go by the schedule of each stage, and by the sale’s where a stage has none', () => {
    const sale = aSale({
      vesting: {
        startsAt: new Date('2030-01-31T12:00:00Z'),
        ...linearSchedule({ first: percent('10'), months: 2, cliff: null }),
      },
      stages: [aStage(), aStage({ id: 'stage-2', vesting: AT_ONCE })],
    })
    const owned = [
      { stageId: 'stage-1', tokens: tokens('100') },
      { stageId: 'stage-2', tokens: tokens('7') },
    ]
    expect(shown(ownerReleases(sale, owned))).toEqual([
      [0, '2030-01-31T12:00:00.000Z', tokens('17'), tokens('17')],
      [1, '2030-02-28T12:00:00.000Z', tokens('45'), tokens('62')],
      [2, '2030-03-31T12:00:00.000Z', tokens('45'), tokens('107')],
    ])
    expect(ownerReleases({ ...sale, vesting: null }, owned)).toEqual([])
  })

  it('leave out those that bring nothing, since the tokens are too few', () => {
    const schedule = linearSchedule({ first: percent('1'), months: 3, cliff: null })
    const calendar = releaseCalendar([{ tokens: tokenAmount(1n), schedule }], null)
    expect(shown(calendar)).toEqual([[3, undefined, 1n, 1n]])
  })
})

const shown = (
  calendar: readonly Release[],
): [number, string | undefined, TokenAmount, TokenAmount][] =>
  calendar.map(({ months, date, ...rest }) => [
    months,
    date?.toISOString(),
    rest.tokens,
    rest.released,
  ])

describe('months after a start', () => {
  it.each([
    ['2027-01-31T23:30:00Z', 1, '2027-02-28T23:30:00.000Z'],
    ['2028-01-31T00:00:00Z', 1, '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T00:00:00Z', 2, '2027-03-31T00:00:00.000Z'],
    ['2027-08-31T00:00:00Z', 1, '2027-09-30T00:00:00.000Z'],
    ['2027-12-15T08:00:00Z', 1, '2028-01-15T08:00:00.000Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00.000Z'],
    ['2027-03-15T00:00:00Z', 0, '2027-03-15T00:00:00.000Z'],
  ])('%s and %d: %s', (start, months, expected) => {
    expect(monthsAfter(new Date(start), months).toISOString()).toBe(expected)
  })

  it('never go into the month after, and rise', () => {
    const starts = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2060-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(starts, fc.nat(119), (start, months) => {
        const [date, next] = [monthsAfter(start, months), monthsAfter(start, months + 1)]
        const counted = start.getUTCFullYear() * 12 + start.getUTCMonth() + months
        expect(date.getUTCFullYear() * 12 + date.getUTCMonth()).toBe(counted)
        expect(next.getTime()).toBeGreaterThan(date.getTime())
      }),
    )
  })
})
