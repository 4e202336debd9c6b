import { describe, expect, it } from 'vitest'
import {
  formatColumn,
  formatTokenColumn,
  formatTokens,
  formatTokensCompact,
  isCut,
  tokensLeft,
  wantedShare,
} from './token-amounts.ts'

describe('formatTokens', () => {
  it.each([
    [0, '0'],
    [1e-8, '0.00000001'],
    [1.15e-6, '0.0000011'],
    [1.1e-11, '0.000000000011'],
    [0.0000199, '0.00001'],
    [0.123456789, '0.12345'],
    [999.999999, '999.99999'],
    [12_401_418.41923, '12,401,418.41'],
    [9_999_966.8, '9,999,966.80'],
    [10_000_000_000_000, '10,000,000,000,000'],
  ])('%d tokens read %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text)
  })

  it.each([
    [1_000_000, false],
    [9_999_966.8, false],
    [12_401_418.419, true],
    [999.99999, false],
    [0.123456, true],
    [1e-8, false],
    [0, false],
  ])('of %d tokens it leaves out digits: %s', (tokens, isLeftOut) => {
    expect(isCut(tokens)).toBe(isLeftOut)
  })

  it('shows as many decimals of each amount of a column', () => {
    const format = formatTokenColumn([1_234.56, 123_456, 0.4])
    expect([1_234.56, 123_456, 0.4].map(format)).toEqual(['1,234.56', '123,456.00', '0.40'])
  })
})

it.each([
  [0, '0'],
  [2.3e-6, '0.0000023'],
  [0.4, '0.4'],
  [999.6, '1K'],
  [1_234.5, '1.235K'],
  [795_665_310_000, '795.7B'],
  [3_500_000_000_000, '3.5T'],
  [10_000_000_000_000, '10T'],
])('%d tokens of a stage read %s', (tokens, text) => {
  expect(formatTokensCompact(tokens)).toBe(text)
})

it.each([
  [1000, 999.9999, 0.0001],
  [1000, 0.3, 999.7],
  [10_000_000_000_000, 0.01, 9_999_999_999_999.99],
  [1000, 1000.0001, 0],
])('of %d tokens less %d are left %d', (total, sold, left) => {
  expect(tokensLeft(total, sold)).toBe(left)
})

it('gives all amounts of a column the same decimals', () => {
  const format = formatColumn(['1000', '12.5', '3.25'])
  expect(['1000', '12.5', '3.25'].map(format)).toEqual(['1,000.00', '12.50', '3.25'])
  expect(formatColumn(['9999966.8', '10'])('9999966.8')).toBe('9,999,966.80')
})

it('gives an amount of nothing no decimals, whatever the others of its column have', () => {
  const format = formatColumn(['666.66666', '0'])
  expect(['666.66666', '0'].map(format)).toEqual(['666.66666', '0'])
})

it.each([
  [0, 1000, '0%'],
  [12_800_000, 800_000_000_000, '0.0016%'],
  [12_899_999, 800_000_000_000, '0.0016%'],
  [1, 10_000_000_000_000, '0.00000000001%'],
  [999.9999, 1000, '99.99%'],
  [125, 1000, '12.5%'],
  [1000, 1000, '100%'],
  [2000, 1000, '100%'],
])('%d tokens of %d are %s of the stage', (tokens, total, share) => {
  expect(wantedShare(tokens, total)).toBe(share)
})
