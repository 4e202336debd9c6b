import { expect, test } from 'vitest'
import { groupedReading } from './grouped-reading.ts'

test.each([
  ['', null],
  ['999', null],
  ['999.123456', null],
  ['1000', '1,000'],
  ['1234567.', '1,234,567.'],
  ['12500.05', '12,500.05'],
  ['1000000000000', null],
  // Fifty, which many would write for fifty thousand.
  ['50.000', '50'],
  ['2.500', '2.5'],
  ['0.500', null],
  ['2.50', null],
  ['2.505', null],
])('%s is read as %s', (typed, reading) => {
  expect(groupedReading(typed)).toBe(reading)
})
