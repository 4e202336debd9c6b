import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { percentage, tokenAmount } from '#domain/money.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import {
  cumulativeAt,
  linearSchedule as linearRelease,
  monthsAfter,
} from '#domain/sale/release-schedule.ts'
import { released } from './release.ts'
import { linearSchedule, scheduledAmounts, streamedAt, tranchedSchedule } from './tool-schedule.ts'

const STARTS_AT = new Date('2027-01-31T12:00:00Z')

const shaped = (
  shape: ReleaseSchedule['shape'],
  tranches: readonly (readonly [months: number, part: bigint])[],
): ReleaseSchedule => ({
  shape,
  tranches: tranches.map(([months, part]) => ({ months, percentage: percentage(part) })),
})

const shipped = shaped('linear', [
  [0, 10_000n],
  [1, 198_000n],
  [2, 198_000n],
  [3, 198_000n],
  [4, 198_000n],
  [5, 198_000n],
])

describe('a tranched schedule', () => {
  test('has its tranches on the days of the releases, and starts a second before the first', () => {
    const schedule = tranchedSchedule(STARTS_AT, shipped)
    if (schedule.kind !== 'tranched') throw new Error('It is tranched')
    expect(schedule.vesting_start_time).toBe(STARTS_AT.getTime() / 1000 - 1)
    let at = schedule.vesting_start_time
    const days = schedule.tranches.map(({ duration }) => {
      at += duration
      return new Date(at * 1000).toISOString().slice(0, 10)
    })
    expect(days).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ])
    expect(schedule.tranches.every(({ duration }) => duration > 0)).toBe(true)
    expect(schedule.tranches.reduce((sum, each) => sum + BigInt(each.unlock_percentage), 0n)).toBe(
      10n ** 18n,
    )
  })

  test('rounds as the contract does: each down, and the rest with the last', () => {
    expect(scheduledAmounts(101n, tranchedSchedule(STARTS_AT, shipped))).toEqual([
      1n,
      19n,
      19n,
      19n,
      19n,
      24n,
    ])
  })
})

describe('a linear schedule', () => {
  test('has what is free at the start, and the seconds to the last release', () => {
    expect(linearSchedule(STARTS_AT, shipped)).toEqual({
      kind: 'linear',
      vesting_start_time: STARTS_AT.getTime() / 1000,
      start_unlock_percentage: '26230000000000000',
      cliff_duration: 0,
      cliff_unlock_percentage: '0',
      total_duration: 150 * 86_400,
    })
  })

  test('has its cliff', () => {
    const cliff = shaped('cliff', [
      [0, 100_000n],
      [3, 200_000n],
      [4, 350_000n],
      [5, 350_000n],
    ])
    expect(linearSchedule(STARTS_AT, cliff)).toMatchObject({
      start_unlock_percentage: '100000000000000000',
      cliff_unlock_percentage: '200000000000000000',
      cliff_duration: 89 * 86_400,
    })
  })

  test('may begin with its cliff, a month after the start', () => {
    const cliff = shaped('cliff', [
      [1, 400_000n],
      [2, 600_000n],
    ])
    expect(linearSchedule(STARTS_AT, cliff)).toMatchObject({
      start_unlock_percentage: '0',
      cliff_unlock_percentage: '400000000000000000',
      cliff_duration: 28 * 86_400,
    })
  })

  test('is refused for parts that do not form a line', () => {
    const parts = shaped('tranches', [
      [0, 500_000n],
      [7, 500_000n],
    ])
    expect(linearSchedule(STARTS_AT, parts)).toBeNull()
    expect(linearSchedule(STARTS_AT, shaped('instant', [[0, 1_000_000n]]))).toBeNull()
    expect(linearSchedule(STARTS_AT, shaped('linear', [[1, 1_000_000n]]))).toBeNull()
    const oneAfterTheStart = [
      [0, 100_000n],
      [1, 900_000n],
    ] as const
    expect(linearSchedule(STARTS_AT, shaped('linear', oneAfterTheStart))).toBeNull()
    const nothingAfter = [
      [0, 100_000n],
      [3, 900_000n],
    ] as const
    expect(linearSchedule(STARTS_AT, shaped('cliff', nothingAfter))).toBeNull()
  })
})

test('a stream is behind the promised calendar on none of its days, and no more ahead than it must', () => {
  const day = fc.date({
    min: new Date('2026-01-01'),
    max: new Date('2032-01-01'),
    noInvalidDate: true,
  })
  const cliffs = fc.option(fc.integer({ min: 1, max: 12 }), { nil: null })
  fc.assert(
    fc.property(
      day,
      fc.bigInt(0n, 300_000n),
      cliffs,
      fc.integer({ min: 2, max: 40 }),
      (at, first, from, steps) => {
        const startsAt = new Date(Math.floor(at.getTime() / 1000) * 1000)
        const cliff = from === null ? null : { months: from, percentage: percentage(150_000n) }
        const months = (from ?? 0) + steps
        const schedule = linearRelease({ first: percentage(first), months, cliff })
        const stream = linearSchedule(startsAt, schedule)
        if (stream?.kind !== 'linear') throw new Error('It is linear')
        const held = BigInt(stream.start_unlock_percentage) + BigInt(stream.cliff_unlock_percentage)
        const whole = BigInt(stream.total_duration - stream.cliff_duration)
        const surplus = schedule.tranches
          .filter((each) => each.months > (from ?? 0))
          .map((each) => {
            const seconds =
              (monthsAfter(startsAt, each.months).getTime() - startsAt.getTime()) / 1000
            const past = BigInt(seconds - stream.cliff_duration)
            const streamed = held * whole + (10n ** 18n - held) * past
            return streamed - cumulativeAt(schedule, each.months) * 10n ** 12n * whole
          })
        expect(surplus.every((each) => each >= 0n)).toBe(true)
        const isRaised = held > (first + (cliff?.percentage ?? 0n)) * 10n ** 12n
        // One step less of what the tool is told would be too little on one of the days.
        expect(!isRaised || surplus.some((each) => each < 10n ** 12n * whole)).toBe(true)
      },
    ),
  )
})

test('whatever the amount, the steps add up to it', () => {
  const schedules = [tranchedSchedule(STARTS_AT, shipped), linearSchedule(STARTS_AT, shipped)]
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 31n), fc.constantFrom(...schedules), (amount, schedule) => {
      if (schedule === null) return
      const parts = scheduledAmounts(amount, schedule)
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount)
      expect(parts.every((part) => part >= 0n)).toBe(true)
    }),
  )
})

describe('a stream', () => {
  const tokens = tokenAmount(10n ** 31n + 7n)
  const months = [0, 1, 2, 3, 4, 5]

  test('has released by each month what its tranches say, and nothing before the first', () => {
    const schedule = tranchedSchedule(STARTS_AT, shipped)
    for (const month of months) {
      const at = monthsAfter(STARTS_AT, month)
      expect(streamedAt(tokens, schedule, at)).toBe(released(tokens, shipped, month))
    }
    expect(streamedAt(tokens, schedule, new Date(STARTS_AT.getTime() - 1000))).toBe(0n)
  })

  test('of a line is behind in no month, and has released all at its end', () => {
    const schedule = linearSchedule(STARTS_AT, shipped)
    if (schedule === null) throw new Error('It is linear')
    for (const month of months) {
      const streamed = streamedAt(tokens, schedule, monthsAfter(STARTS_AT, month))
      expect(streamed).toBeGreaterThanOrEqual(released(tokens, shipped, month))
      expect(streamed).toBeLessThan((released(tokens, shipped, month) * 11n) / 10n + tokens / 10n)
    }
    expect(streamedAt(tokens, schedule, monthsAfter(STARTS_AT, 5))).toBe(tokens)
    expect(streamedAt(tokens, schedule, new Date(STARTS_AT.getTime() - 1000))).toBe(0n)
  })

  test('with a cliff has released its part from the second of the cliff on', () => {
    const release = shaped('cliff', [
      [3, 400_000n],
      [4, 300_000n],
      [5, 300_000n],
    ])
    const schedule = linearSchedule(STARTS_AT, release)
    if (schedule === null) throw new Error('It is linear')
    const cliff = monthsAfter(STARTS_AT, 3)
    const atLeast = released(tokens, release, 3)
    expect(streamedAt(tokens, schedule, cliff)).toBeGreaterThanOrEqual(atLeast)
    expect(streamedAt(tokens, schedule, new Date(cliff.getTime() - 1000))).toBe(0n)
  })
})
