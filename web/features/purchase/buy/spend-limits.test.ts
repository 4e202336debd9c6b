import { describe, expect, it } from 'vitest'
import type { Stage } from '#contract/shapes.ts'
import { usdFromWire } from '#contract/codec.ts'
import { stageFromWire } from '#contract/stage-codec.ts'
import { usd } from '#domain/money.ts'
import { mostToSpend, spendFault, stageLimits } from './spend-limits.ts'

const DECIMALS = 18

const stage: Stage = {
  id: 'stage-1',
  name: 'Stage 1',
  type: 'dynamic',
  token_price: 0.0001,
  total_tokens: 1_000_000_000,
  sold_tokens: 0,
  start_date: '2030-01-01T00:00:00Z',
  end_date: null,
  min_fiat_amount: 10,
  max_fiat_amount: 100_000,
  bonuses: {
    base_percentage: 10,
    tiered_fiat: [{ amount: 5, percentage: 15 }],
    payment_tokens: [],
    limited_time: null,
    signup: { first_purchase_percentage: 0, limited_time: null },
    referrals: { earn: 25, spend: 250 },
  },
}

const limitsOf = (
  change: Partial<Stage>,
  minimumUsd: number,
  railMinimumUsd = 0,
  isLastRemainder = false,
) =>
  stageLimits(stageFromWire({ ...stage, ...change }, DECIMALS), {
    id: 'btc',
    minUsd: usdFromWire(minimumUsd),
    railMinUsd: usdFromWire(railMinimumUsd),
    isLastRemainder,
  })

describe('limits', () => {
  it('takes the larger minimum of stage and payment token', () => {
    expect(limitsOf({}, 25).min).toBe(usdFromWire(25))
    expect(limitsOf({}, 5).min).toBe(usdFromWire(10))
    expect(limitsOf({ min_fiat_amount: null }, 5).min).toBe(usdFromWire(5))
  })

  it('has no maximum where the stage has none', () => {
    expect(limitsOf({ max_fiat_amount: null }, 25).max).toBeNull()
  })

  it('lets the last remainder be bought, bonuses included', () => {
    const limits = limitsOf({ sold_tokens: 999_950_000 }, 25)
    expect(limits.isLastRemainder).toBe(true)
    // 50,000 tokens are left; with bonuses of 10 % alone, $4.545454 takes all of them, and the tier
    // of 15 % begins only at $5.
    expect(limits.min).toBe(usd(4_545_454n))
  })

  it('knows a last remainder by what is left, also where the minimums have given way to it', () => {
    const rest = { sold_tokens: 999_950_000, min_fiat_amount: 4.545454 }
    const limits = limitsOf(rest, 4.545454, 0, true)
    expect(limits).toMatchObject({ min: usd(4_545_454n), most: usd(4_545_454n) })
    expect(limits.isLastRemainder).toBe(true)
    expect(limitsOf({}, 25).isLastRemainder).toBe(false)
  })
})

describe('what a rail takes at all', () => {
  // 50,000 tokens are left; nobody can spend more than $4.545454 on them.
  const rest = { sold_tokens: 999_950_000 }

  it('is the minimum of a last remainder, where that is more', () => {
    const stageRest = { ...rest, bonuses: { ...stage.bonuses, tiered_fiat: [] } }
    const signup = { first_purchase_percentage: 25, limited_time: null }
    const generous = { ...stageRest, bonuses: { ...stageRest.bonuses, signup } }
    expect(limitsOf(generous, 4, 4)).toMatchObject({ min: usdFromWire(4), isBelowRail: false })
  })

  it('cannot be spent where less is left', () => {
    expect(limitsOf(rest, 4.6, 4.6)).toMatchObject({ min: usd(4_545_454n), isBelowRail: true })
    expect(limitsOf(rest, 4.5, 4.5).isBelowRail).toBe(false)
  })
})

describe('the most that can be spent', () => {
  it('is the maximum of the stage while enough is left', () => {
    expect(limitsOf({ max_fiat_amount: 80_000 }, 25).most).toBe(usdFromWire(80_000))
    expect(limitsOf({ max_fiat_amount: null }, 25).most).toBeNull()
  })

  it('is what is left where that costs less, with the bonuses that everybody has', () => {
    // 5,500,000 tokens are left: those for $440, and 25 % of them.
    expect(limitsOf({ sold_tokens: 994_500_000 }, 25).most).toBe(usdFromWire(440))
    // Whoever has a bonus of their own spends less for the 50,000 that are left, but not more.
    const signup = { first_purchase_percentage: 25, limited_time: null }
    const bonuses = { ...stage.bonuses, tiered_fiat: [], signup }
    const limits = limitsOf({ sold_tokens: 999_950_000, max_fiat_amount: null, bonuses }, 25)
    expect(limits).toMatchObject({ min: usd(3_703_703n), most: usd(4_545_454n) })
  })

  it('is not said where others have reserved all but a last remainder', () => {
    const limits = limitsOf({ sold_tokens: 994_500_000, min_fiat_amount: 9.09 }, 9.09, 0, true)
    expect(limits).toMatchObject({ min: usd(9_090_000n), most: null, isLastRemainder: true })
  })
})

describe('faults, by one unit', () => {
  const limits = limitsOf({}, 25)
  it.each([
    [null, 'empty'],
    [24_999_999n, 'tooLittle'],
    [25_000_000n, null],
    [100_000_000_000n, null],
    [100_000_000_001n, 'tooMuch'],
  ])('%s is %s', (amount, fault) => {
    expect(spendFault(amount === null ? null : usd(amount), limits)).toBe(fault)
  })

  it('refuses more digits than the server takes, also where there is no maximum', () => {
    const most = 10n ** 18n - 1n
    const unlimited = { min: usd(1n), max: null }
    expect(spendFault(usd(most), unlimited)).toBeNull()
    expect(spendFault(usd(most + 1n), unlimited)).toBe('tooMuch')
    expect(mostToSpend(unlimited)).toBe(most)
    expect(mostToSpend({ max: usd(5n) })).toBe(5n)
  })

  it('never accepts zero', () => {
    expect(spendFault(usd(0n), { min: usd(0n), max: null })).toBe('tooLittle')
  })
})
