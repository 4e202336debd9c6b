import { describe, expect, it } from 'vitest'

import { partsThatAddUp } from './shown-tokens.ts'

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
