import { describe, expect, it } from 'vitest'

import { tokens } from '#tests/kit/builders/domain-builders.ts'
import { partsThatAddUp, shownDecimals } from './shown-tokens.ts'

it.each([
  ['two of a thousand tokens', ['1000'], 2],
  ['two also beside nothing', ['1000', '0'], 2],
  ['five of fewer', ['999'], 5],
  ['five as long as a digit is seen', ['0.00001'], 5],
  ['two digits of what would read as nothing', ['1000', '0.000001'], 7],
  ['five of nothing', ['0'], 5],
])('shows %s', (_, amounts, decimals) => {
  expect(shownDecimals(amounts.map(tokens), 18)).toBe(decimals)
})

describe('partsThatAddUp', () => {
  it('gives what is lost to those that lost most', () => {
    expect(partsThatAddUp([110n, 90n, 80n, 20n], 100n)).toEqual([100n, 100n, 100n, 0n])
  })

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
