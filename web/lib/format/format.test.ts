import { afterEach, describe, expect, test } from 'vitest'
import * as german from '#web/messages/de.ts'
import { renderIn } from '#web/messages/language.ts'
import {
  formatCoins,
  formatCompact,
  formatExact,
  formatNumber,
  formatSpoken,
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
    [0.0099, '$0.0099'],
    [498.84927, '$498.85'],
    [1800.00047, '$1,800.00'],
    [1234.56789, '$1,234.57'],
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
    ['5000.1234', '$5,000.1234'],
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

describe('in German', () => {
  afterEach(() => renderIn('en', null))

  test.each([
    [1500, '1,500'],
    [999_999, '999,999'],
    [211_000_000, '211 Mio.'],
    [800_000_000_000, '800 Mrd.'],
    [3_500_000_000_000, '3.5 Bio.'],
  ])('%s is abbreviated to %s', (value, text) => {
    renderIn('de', german)
    expect(formatCompact(value).replaceAll('\u00A0', ' ')).toBe(text)
  })

  test('a sum is said in German words, with the marks of all other amounts', () => {
    renderIn('de', german)
    expect(formatSpoken('12799443.86').replaceAll('\u00A0', ' ')).toBe('12.8 Millionen')
    expect(formatUsdCompact(50_000_000).replaceAll('\u00A0', ' ')).toBe('$50 Mio.')
  })
})

test.each([
  ['37500', '37,500'],
  ['999999.5', '999,999.5'],
  ['12799443.86', '12.8 million'],
  ['3500000000', '3.5 billion'],
])('%s is said as %s', (value, text) => {
  expect(formatSpoken(value)).toBe(text)
})

test('coins are never shown as more than they are', () => {
  expect(formatCoins('20.153002335525782794')).toBe('20.15300233')
  expect(formatCoins('0.000968065')).toBe('0.00096806')
  expect(formatCoins('0.03992586')).toBe('0.03992586')
})
