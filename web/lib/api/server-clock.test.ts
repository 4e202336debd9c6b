import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, onThisClock } from './server-clock.ts'

const NOON = '2030-01-01T12:00:00Z'
const HOUR_MS = 3_600_000
const at = (difference: number) =>
  new Headers({ date: new Date(Date.now() + difference).toUTCString() })

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2030-01-01T11:00:00Z') })
  noteServerTime(at(0))
})
afterEach(() => vi.useRealTimers())

test.each([2 * HOUR_MS, -2 * HOUR_MS])(
  'a clock that is wrong by %d ms shows instants of the server',
  (wrong) => {
    noteServerTime(at(wrong))
    expect(onThisClock(NOON)).toBe(Date.parse(NOON) - wrong)
  },
)

test('seconds on the way, and replies without a date, change nothing', () => {
  noteServerTime(at(-9000))
  expect(onThisClock(NOON)).toBe(Date.parse(NOON))
  noteServerTime(at(HOUR_MS))
  noteServerTime(at(HOUR_MS - 9000))
  noteServerTime(new Headers())
  expect(onThisClock(NOON)).toBe(Date.parse(NOON) - HOUR_MS)
})

test('a clock that was put right is trusted again', () => {
  noteServerTime(at(HOUR_MS))
  noteServerTime(at(0))
  expect(onThisClock(NOON)).toBe(Date.parse(NOON))
})
