import { describe, expect, it } from 'vitest'
import { formatColumn, formatTokens, partsThatAddUp } from './token-amounts.ts'

describe('formatTokens', () => {
  it.each([
    [0, '0'],
    [1e-8, '0.00000001'],
    [0.123456789, '0.12345'],
    [999.999999, '999.99999'],
    [12_401_418.41923, '12,401,418.41'],
    [9_999_966.8, '9,999,966.80'],
    [10_000_000_000_000, '10,000,000,000,000'],
  ])('%d tokens read %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text)
  })
})

describe('partsThatAddUp', () => {
  it.each([
    [[199n, 199n, 199n], 100n],
    [[150n, 250n, 99n], 100n],
    [[0n, 0n], 100n],
    [[12_345n], 10n],
  ])('%s in units of %s', (parts, unit) => {
    const shown = partsThatAddUp(parts, unit)
    const sum = parts.reduce((total, part) => total + part, 0n)
    expect(shown.reduce((total, part) => total + part, 0n)).toBe(sum - (sum % unit))
    for (const [index, part] of shown.entries()) {
      expect(part % unit).toBe(0n)
      const difference = part - (parts[index] ?? 0n)
      expect(difference > -unit && difference < unit).toBe(true)
    }
  })
})

it('gives all amounts of a column the same decimals', () => {
  const format = formatColumn(['1000', '12.5', '3.25'])
  expect(['1000', '12.5', '3.25'].map(format)).toEqual(['1,000.00', '12.50', '3.25'])
  expect(formatColumn(['9999966.8', '10'])('9999966.8')).toBe('9,999,966.80')
})
