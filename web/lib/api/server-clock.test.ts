import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SERVER_TIME } from '#contract/endpoint.ts'
import { noteServerTime, onThisClock } from './server-clock.ts'

const NOON = '2030-01-01T12:00:00Z'
const HOUR_MS = 3_600_000

/** A reply by a server whose clock is ahead of this device's. */
function hear(aheadMs: number, tookMs = 100): void {
  const headers = new Headers({ [SERVER_TIME]: new Date(Date.now() + aheadMs).toISOString() })
  noteServerTime(headers, Date.now() - tookMs)
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2030-01-01T11:00:00Z') })
  hear(0)
})
afterEach(() => vi.useRealTimers())

test.each([2 * HOUR_MS, -2 * HOUR_MS])(
  'a clock that is wrong by %d ms shows instants of the server',
  (wrong) => {
    hear(wrong)
    expect(onThisClock(NOON)).toBe(Date.parse(NOON) - wrong)
  },
)

test('seconds on the way, and replies without the time, change nothing', () => {
  hear(-9000)
  expect(onThisClock(NOON)).toBe(Date.parse(NOON))
  hear(HOUR_MS)
  hear(HOUR_MS - 9000)
  noteServerTime(new Headers({ date: 'Tue, 01 Jan 2030 05:00:00 GMT' }), Date.now())
  expect(onThisClock(NOON)).toBe(Date.parse(NOON) - HOUR_MS)
})

test('a reply that is read long after its call changes nothing', () => {
  hear(-HOUR_MS, HOUR_MS)
  expect(onThisClock(NOON)).toBe(Date.parse(NOON))
})

test('a clock that was put right is trusted again', () => {
  hear(HOUR_MS)
  hear(0)
  expect(onThisClock(NOON)).toBe(Date.parse(NOON))
})
