import { expect, it } from 'vitest'
import { percentage, usd } from '#domain/money.ts'
import type { StageBonuses } from '#domain/sale/bonus.ts'
import { bonusBoundaries } from './bonus-boundaries.ts'

const none: StageBonuses = {
  base: percentage(100_000n),
  spending: [],
  paymentTokens: [],
  limitedTime: null,
  signup: { firstPurchase: percentage(50_000n), limitedTime: null },
  referrals: { earn: usd(0n), spend: usd(0n) },
}
const limitedTime = {
  startsAt: new Date('2030-01-01T00:00:00Z'),
  endsAt: new Date('2030-01-08T00:00:00Z'),
  rate: percentage(50_000n),
}
const signup = {
  firstPurchase: percentage(0n),
  limitedTime: { minutesAfterSignup: 90, rate: percentage(30_000n) },
}
const signedUpAt = new Date('2030-01-02T10:00:00Z')

const at = (instants: number[]) => instants.map((ms) => new Date(ms).toISOString())

it('is when a limited-time bonus begins and when it ends', () => {
  expect(at(bonusBoundaries({ ...none, limitedTime }, null))).toEqual([
    '2030-01-01T00:00:00.000Z',
    '2030-01-08T00:00:00.000Z',
  ])
})

it('is when the bonus for those who have just signed up ends, for each at another time', () => {
  expect(at(bonusBoundaries({ ...none, signup }, signedUpAt))).toEqual(['2030-01-02T11:30:00.000Z'])
  expect(bonusBoundaries({ ...none, signup }, null)).toEqual([])
})

it('is nowhere where no bonus depends on the time', () => {
  expect(bonusBoundaries(none, signedUpAt)).toEqual([])
})
