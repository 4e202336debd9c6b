import { expect, test } from 'vitest'
import { secondsLeft, timeLeft } from './time-left.ts'

test('a wait is shown in days, hours, minutes and seconds', () => {
  const totalSeconds = 2 * 86_400 + 3 * 3600 + 4 * 60 + 5
  expect(timeLeft(totalSeconds)).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
    totalSeconds,
  })
})

test('a started second still counts, and nothing is left only once it is over', () => {
  expect(secondsLeft(1, 0)).toBe(1)
  expect(secondsLeft(1000, 1000)).toBe(0)
  expect(secondsLeft(1000, 5000)).toBe(0)
})
