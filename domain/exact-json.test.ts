import { expect, test } from 'vitest'
import {
  type ExactJson,
  exactText,
  isExactRecord,
  parseExactJson,
  readWrittenDecimal,
} from './exact-json.ts'

test('numbers stay as they were written, beyond what a float could hold', () => {
  const json = parseExactJson('{"a":12345678901234567890.123456789012345678,"b":1e-8,"c":"0.10"}')
  const record = json !== null && isExactRecord(json.value) ? json.value : {}
  expect(exactText(record['a'])).toBe('12345678901234567890.123456789012345678')
  expect(exactText(record['b'])).toBe('1e-8')
  expect(exactText(record['c'])).toBe('0.10')
  expect(parseExactJson('<html>')).toBeNull()
})

test('what is no record has no fields, and what is neither number nor text has no figure', () => {
  const values = parseExactJson('[null,true,1,"1",[],{}]')?.value
  const parts = Array.isArray(values) ? (values as readonly ExactJson[]) : []
  expect(parts.map(isExactRecord)).toEqual([false, false, false, false, false, true])
  expect(parts.map(exactText)).toEqual([null, null, '1', '1', null, null])
})

test.each([
  ['1.5', 2, 150n],
  ['1e-8', 8, 1n],
  ['1E-8', 18, 10_000_000_000n],
  ['1.25e3', 0, 1250n],
  ['0.0999', 2, 9n],
  ['12345678901234567890.5', 1, 123456789012345678905n],
])('%s with %i decimals is %i units', (text, decimals, units) => {
  expect(readWrittenDecimal(text, decimals)).toBe(units)
})

test.each(['-1', '+1', '', '1,5', '0x10', '1e999', 'NaN', '١', ' 1', '1.', '.5'])(
  '%o is no amount',
  (text) => {
    expect(readWrittenDecimal(text, 8)).toBeNull()
  },
)
