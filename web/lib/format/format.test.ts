import { describe, expect, test } from 'vitest'
import {
  formatCompact,
  formatExact,
  formatNumber,
  formatUsd,
  formatUsdCents,
  formatUsdCompact,
  formatUsdExact,
} from './format.ts'

describe('numbers', () => {
  test.each([
    [0, '0'],
    [1234567.891, '1,234,567.891'],
    [0.123456789, '0.12346'],
    [0.00001, '0.00001'],
    [0.0000012345, '0.0000012'],
    [1e-7, '0.0000001'],
    [0.00000001, '0.00000001'],
    [10_000_000_000_000, '10,000,000,000,000'],
    ['10000000000000.00000001', '10,000,000,000,000'],
    ['0.100000000000000000', '0.1'],
    ['12345678901234567890.5', '12,345,678,901,234,567,890.5'],
  ])('%s reads %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  test.each([
    [999.5, '999.5'],
    [1_500, '1.5K'],
    [1_000_000, '1M'],
    [1_234_567.891, '1.23457M'],
    [2_500_000_000, '2.5B'],
    [10_000_000_000_000, '10T'],
    [1e18, '1,000,000T'],
    ['1500000', '1.5M'],
  ])('%s is abbreviated to %s', (value, text) => {
    expect(formatCompact(value)).toBe(text)
  })

  test('the exact value keeps every digit and never turns scientific', () => {
    expect(formatExact('123456789.123456789012345678')).toBe('123,456,789.123456789012345678')
    expect(formatExact(1e-7)).toBe('0.0000001')
    expect(formatExact(`0.${'0'.repeat(35)}1`)).toBe(`0.${'0'.repeat(35)}1`)
    expect(formatExact(1e21)).toBe('1,000,000,000,000,000,000,000')
  })
})

describe('dollars', () => {
  test.each([
    [1000, '$1,000'],
    [12.5, '$12.50'],
    [0.0001, '$0.0001'],
    [0.00012345, '$0.00012'],
    [0.000001, '$0.000001'],
    [1234.56789, '$1,234.56789'],
  ])('%s reads %s', (value, text) => {
    expect(formatUsd(value)).toBe(text)
  })

  test('millions are abbreviated where space is short', () => {
    expect(formatUsdCompact(50_000_000)).toBe('$50M')
    expect(formatUsdCompact(12.5)).toBe('$12.50')
  })

  test.each([
    ['10', '$10'],
    ['10.5', '$10.50'],
    ['5000.123456', '$5,000.123456'],
    ['0.000001', '$0.000001'],
    ['999999999999.999999', '$999,999,999,999.999999'],
  ])('a limit of %s keeps every digit: %s', (value, text) => {
    expect(formatUsdExact(value)).toBe(text)
  })

  test('earnings have two decimals', () => {
    expect(formatUsdCents(150)).toBe('$150.00')
    expect(formatUsdCents(0.005)).toBe('$0.01')
  })
})
