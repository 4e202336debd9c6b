import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unitsFromWire } from '#contract/codec.ts'
import { releaseSteps } from './release-steps.ts'

const DECIMALS = 18
const unitsOf = (tokens: number) => unitsFromWire(tokens, DECIMALS)

it('releases the first part at the start and the rest in equal parts', () => {
  const steps = releaseSteps({ start_date: null, first_percentage: 1, months: 5 }, 1000)
  expect(steps.map(({ month, part, free, date }) => [month, part, free, date])).toEqual([
    [0, 10, 10, null],
    [1, 198, 208, null],
    [2, 198, 406, null],
    [3, 198, 604, null],
    [4, 198, 802, null],
    [5, 198, 1000, null],
  ])
})

it('has no release at the start where nothing comes free there, and one alone without months', () => {
  const from = (first_percentage: number, months: number) =>
    releaseSteps({ start_date: null, first_percentage, months }, 100)
  expect(from(0, 2).map(({ month, free }) => [month, free])).toEqual([
    [1, 50],
    [2, 100],
  ])
  expect(from(100, 0).map(({ month, free }) => [month, free])).toEqual([[0, 100]])
  expect(from(100, 5).map(({ month }) => month)).toEqual([0])
})

it('counts calendar months in UTC, and ends shorter months on their last day', () => {
  const start_date = '2027-01-31T23:30:00Z'
  const steps = releaseSteps({ start_date, first_percentage: 10, months: 3 }, 1000)
  expect(steps.map(({ date }) => date?.toISOString())).toEqual([
    '2027-01-31T23:30:00.000Z',
    '2027-02-28T23:30:00.000Z',
    '2027-03-31T23:30:00.000Z',
    '2027-04-30T23:30:00.000Z',
  ])
})

it('adds up as it is shown: no part has digits that are cut off, but the last has those of the whole', () => {
  const steps = releaseSteps({ start_date: null, first_percentage: 1, months: 3 }, 12_799_443.865)
  expect(steps.map(({ part }) => part)).toEqual([
    127_994.43, 4_223_816.48, 4_223_816.47, 4_223_816.485,
  ])
})

it('adds up to the whole, and never falls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 1, max: 60 }),
      (tokens, percentage, months) => {
        const plan = { start_date: null, first_percentage: percentage / 10_000, months }
        const steps = releaseSteps(plan, tokens)
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
