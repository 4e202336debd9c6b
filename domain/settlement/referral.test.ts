import { expect, test } from 'vitest'
import { tokenAmount } from '#domain/money.ts'
import { referralReward } from './referral.ts'
import { dollars, priced, tokens } from '#tests/kit/builders/domain-builders.ts'

const referral = {
  completedUsd: dollars('250'),
  terms: { earn: dollars('25'), spend: dollars('250') },
  tokenPrice: priced('0.1'),
  tokenDecimals: 18,
}

test.each([
  { name: 'just enough was spent', change: {}, reward: { tokens: tokens('250') } },
  {
    name: 'more than enough was spent',
    change: { completedUsd: dollars('9999') },
    reward: { tokens: tokens('250') },
  },
  { name: 'too little was spent', change: { completedUsd: dollars('249.999999') }, reward: null },
  {
    name: 'rounded down to a base unit',
    change: { tokenPrice: priced('3'), tokenDecimals: 2 },
    reward: { tokens: tokenAmount(833n) },
  },
  {
    name: 'nothing has to be spent, and nothing was',
    change: {
      completedUsd: dollars('0'),
      terms: { earn: dollars('25'), spend: dollars('0') },
    },
    reward: null,
  },
  {
    name: 'nothing is promised',
    change: { terms: { earn: dollars('0'), spend: dollars('0') } },
    reward: null,
  },
])('$name', ({ change, reward }) => {
  expect(referralReward({ ...referral, ...change })).toEqual(reward)
})
