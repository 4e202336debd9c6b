import { expect, it } from 'vitest'
import type { StageBonuses } from '#contract/shapes.ts'
import { expectedBonuses } from './expected-bonuses.ts'

const bonuses: StageBonuses = {
  base_percentage: 10,
  tiered_fiat: [{ amount: 250, percentage: 2 }],
  payment_tokens: [{ token_id: 'btc', percentage: 1 }],
  limited_time: {
    start_date: '2030-01-01T00:00:00Z',
    end_date: '2030-01-08T00:00:00Z',
    percentage: 5,
  },
  signup: {
    first_purchase_percentage: 5,
    limited_time: { minutes_after_signup: 90, percentage: 3 },
  },
  referrals: { earn: 0, spend: 0 },
}
const purchase = {
  usd: 250,
  tokenId: 'btc',
  signupDate: '2030-01-01T00:00:00Z',
  hasTokens: false,
  nowMs: Date.parse('2030-01-01T00:30:00Z'),
}

it('expects all that the stage grants of somebody new who buys enough in the right token', () => {
  expect(expectedBonuses(bonuses, purchase)).toEqual([
    'base_bonus',
    'spending_bonus',
    'limited_time_bonus',
    'limited_time_signup_bonus',
    'first_purchase_bonus',
    'tiered_fiat_bonus',
  ])
})

it('expects the bonus of the stage alone where nothing else holds', () => {
  const late = Date.parse('2030-01-08T00:00:00Z')
  const later = { usd: 249.99, tokenId: 'eth', signupDate: null, hasTokens: true, nowMs: late }
  expect(expectedBonuses(bonuses, later)).toEqual(['base_bonus'])
  const grown = { ...later, signupDate: '2030-01-07T22:00:00Z' }
  expect(expectedBonuses(bonuses, grown)).toEqual(['base_bonus'])
})
