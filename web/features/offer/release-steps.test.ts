import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scheduleToWire, unitsFromWire } from '#contract/codec.ts'
import { percentage } from '#domain/money.ts'
import { linearSchedule } from '#domain/sale/release-schedule.ts'
import { releasesOf, releaseSteps } from './release-steps.ts'

const DECIMALS = 18
const unitsOf = (tokens: number) => unitsFromWire(tokens, DECIMALS)

/** A first part in percent, the rest in so many months. */
function linear(first: number, months: number, start_date: string | null = null) {
  const schedule = linearSchedule({
    first: percentage(BigInt(Math.round(first * 10_000))),
    months,
    cliff: null,
  })
  return { start_date, ...scheduleToWire(schedule) }
}

it('has a step for each release, with what is free from then on', () => {
  const steps = releaseSteps(releasesOf(linear(1, 5), null, 1000))
  expect(steps.map(({ month, part, free, date }) => [month, part, free, date])).toEqual([
    [0, 10, 10, null],
    [1, 198, 208, null],
    [2, 198, 406, null],
    [3, 198, 604, null],
    [4, 198, 802, null],
    [5, 198, 1000, null],
  ])
})

it('has no release at the start where nothing comes free there', () => {
  const steps = releaseSteps(releasesOf(linear(0, 2), null, 100))
  expect(steps.map(({ month, free }) => [month, free])).toEqual([
    [1, 50],
    [2, 100],
  ])
})

it('goes by the schedule of the stage where it has one of its own', () => {
  const own = { shape: 'instant' as const, tranches: [{ months: 0, percentage: 100 }] }
  const steps = releaseSteps(releasesOf(linear(1, 5), own, 1000))
  expect(steps.map(({ month, free }) => [month, free])).toEqual([[0, 1000]])
})

it('names the day of each release once the start is set', () => {
  const steps = releaseSteps(releasesOf(linear(10, 3, '2027-01-31T23:30:00Z'), null, 1000))
  expect(steps.map(({ date }) => date?.toISOString())).toEqual([
    '2027-01-31T23:30:00.000Z',
    '2027-02-28T23:30:00.000Z',
    '2027-03-31T23:30:00.000Z',
    '2027-04-30T23:30:00.000Z',
  ])
})

it('adds up as it is shown: no part has digits that are cut off, but the last has those of the whole', () => {
  const steps = releaseSteps(releasesOf(linear(1, 3), null, 12_799_443.865))
  expect(steps.map(({ part }) => part)).toEqual([
    127_994.43, 4_223_816.48, 4_223_816.47, 4_223_816.485,
  ])
})

it('draws the shares that the schedule names, though amounts are cut to what is shown', () => {
  const steps = releaseSteps(releasesOf(linear(1, 5), null, 10_624_994.24))
  expect(steps.map(({ freePermille }) => freePermille)).toEqual([10, 208, 406, 604, 802, 1000])
})

it('adds up to the whole, and never falls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 999_999 }),
      fc.integer({ min: 1, max: 60 }),
      (tokens, first, months) => {
        const steps = releaseSteps(releasesOf(linear(first / 10_000, months), null, tokens))
        expect(steps.at(-1)?.free).toBe(tokens)
        expect(steps.at(-1)?.freePermille).toBe(1000)
        let before = 0n
        for (const { free, part } of steps) {
          expect(unitsOf(free)).toBeGreaterThan(before)
          expect(part).toBeGreaterThan(0)
          before = unitsOf(free)
        }
      },
    ),
  )
})
