import { expect, it } from 'vitest'
import { retryMs } from './stream-retry.ts'

it('waits twice as long after each failure, ten seconds at most', () => {
  expect([1, 2, 3, 4, 5, 6, 1000].map((failures) => retryMs(failures, 1))).toEqual([
    500, 1000, 2000, 4000, 8000, 10_000, 10_000,
  ])
})

it('spreads those who were cut off at once over half of the wait', () => {
  expect([0, 0.5, 1].map((chance) => retryMs(3, chance))).toEqual([1000, 1500, 2000])
})
