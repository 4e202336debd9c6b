import { describe, expect, it } from 'vitest'
import { baseUnits, wirePrice, wireUsd } from './wire-amount.ts'

describe('baseUnits', () => {
  it('cuts what is finer than the unit', () => {
    expect(baseUnits(1.239, 2)).toBe(123n)
    expect(baseUnits(7.9, 0)).toBe(7n)
  })
  it('reads dollars and prices', () => {
    expect(wireUsd(1000.5)).toBe(1_000_500_000n)
    expect(wirePrice(0.0000001)).toBe(100_000n)
  })
})
