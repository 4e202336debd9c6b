import { describe, expect, it } from 'vitest'
import { parseDuration, parseInstant } from './dates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a duration', () => {
  it.each([
    ['P0D', 0],
    ['P30D', 30 * DAY_MS],
    ['P2W', 14 * DAY_MS],
    ['PT10S', 10_000],
    ['PT90M', 1.5 * HOUR_MS],
    ['P1DT2H3M4S', DAY_MS + 2 * HOUR_MS + 184_000],
    ['-P10D', -10 * DAY_MS],
    ['+PT1H', HOUR_MS],
    ['P36525D', 36_525 * DAY_MS],
  ])('%s is understood', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    'P',
    'PT',
    '-P',
    'P1DT',
    '30D',
    'P30',
    'p30d',
    'P30d',
    ' P30D',
    'P 30D',
    // Without a fixed length, in the wrong order, with a fraction, beyond a century.
    'P1M',
    'P1Y',
    'PT1S1M',
    'P1D1W',
    'PT0.5S',
    'PT1,5H',
    'P-1D',
    'P36526D',
    'P999999999W',
    'P٣D',
  ])('%j is not', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('an instant', () => {
  it.each([
    ['2022-08-01T00:00:00Z', '2022-08-01T00:00:00.000Z'],
    ['2022-08-01T12:30Z', '2022-08-01T12:30:00.000Z'],
    ['2022-08-01T12:30:15.250+02:00', '2022-08-01T10:30:15.250Z'],
    ['2024-02-29T23:59:59-11:00', '2024-03-01T10:59:59.000Z'],
  ])('%s is understood', (text, utc) => {
    expect(parseInstant(text)?.toISOString()).toBe(utc)
  })

  it.each([
    // Without a zone, without a time, and days and times that there are not.
    '2022-08-01T00:00:00',
    '2022-08-01',
    '2022-08-01 00:00:00Z',
    '2022-08-01t00:00:00z',
    '2023-02-29T00:00:00Z',
    '2022-04-31T00:00:00Z',
    '2022-13-01T00:00:00Z',
    '2022-08-01T25:00:00Z',
    '2022-08-01T00:60:00Z',
    '2022-08-00T00:00:00Z',
    '1659312000',
    'tomorrow',
    '+012022-08-01T00:00:00Z',
  ])('%j is not', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })
})
