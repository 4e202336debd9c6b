import { expect, it } from 'vitest'
import type { StageBonuses } from '#contract/shapes.ts'
import { bonusTurns } from './bonus-turns.ts'

const none: StageBonuses = {
  base_percentage: 10,
  tiered_fiat: [],
  payment_tokens: [],
  limited_time: null,
  signup: { first_purchase_percentage: 5, limited_time: null },
  referrals: { earn: 0, spend: 0 },
}
const limited = {
  start_date: '2030-01-01T00:00:00Z',
  end_date: '2030-01-08T00:00:00Z',
  percentage: 5,
}
const signup = {
  first_purchase_percentage: 0,
  limited_time: { minutes_after_signup: 90, percentage: 3 },
}

const at = (instants: number[]) => instants.map((ms) => new Date(ms).toISOString())

it('turns when a limited-time bonus begins and when it ends', () => {
  expect(at(bonusTurns({ ...none, limited_time: limited }, null))).toEqual([
    '2030-01-01T00:00:00.000Z',
    '2030-01-08T00:00:00.000Z',
  ])
})

it('turns when the bonus for those who have just signed up ends, for each at another time', () => {
  expect(at(bonusTurns({ ...none, signup }, '2030-01-02T10:00:00Z'))).toEqual([
    '2030-01-02T11:30:00.000Z',
  ])
  expect(bonusTurns({ ...none, signup }, null)).toEqual([])
})

it('never turns by itself where no bonus depends on the time', () => {
  expect(bonusTurns(none, '2030-01-02T10:00:00Z')).toEqual([])
})
