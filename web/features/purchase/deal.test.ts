import { describe, expect, it } from 'vitest'
import { parseDecimal } from '#domain/money.ts'
import { priceFromWire, usdFromWire } from '#contract/codec.ts'
import { dealFormat, dealOf } from './deal.ts'

const DECIMALS = 18
const units = (text: string) => parseDecimal(text, DECIMALS) ?? -1n
const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + units(amount), 0n)

describe('dealOf', () => {
  it('tells base, bonuses and total of a purchase', () => {
    const bonuses = { base_bonus: 1_000_000, spending_bonus: 500_000 }
    expect(dealOf(usdFromWire(1000), priceFromWire(0.0001), bonuses, DECIMALS)).toEqual({
      spent: usdFromWire(1000),
      base: '10000000',
      lines: [
        { type: 'base_bonus', tokens: '1000000', percent: '10' },
        { type: 'spending_bonus', tokens: '500000', percent: '5' },
      ],
      bonusTokens: '1500000',
      bonusUsd: '150',
      bonusPercent: '15',
      total: '11500000',
    })
  })

  it('tells of a purchase without bonuses', () => {
    const deal = dealOf(usdFromWire(10), priceFromWire(0.25), {}, DECIMALS)
    expect(deal).toMatchObject({ base: '40', lines: [], bonusTokens: '0', total: '40' })
  })

  it('has no line that reads as nothing, however few tokens there are', () => {
    const few = dealOf(
      usdFromWire(1000),
      priceFromWire(1e9),
      { base_bonus: 1e-7, spending_bonus: 5e-8 },
      18,
    )
    expect(few).toMatchObject({ base: '0.000001', bonusTokens: '0.00000015', total: '0.00000115' })
    const format = dealFormat(few)
    expect([few.base, few.bonusTokens, few.total].map(format)).toEqual([
      '0.00000100',
      '0.00000015',
      '0.00000115',
    ])
    const least = dealOf(usdFromWire(10), priceFromWire(1e9), {}, 8)
    expect(least).toMatchObject({ base: '0.00000001', total: '0.00000001' })
    const uneven = dealOf(usdFromWire(1000), priceFromWire(0.5), { base_bonus: 0.0012345 }, 18)
    expect(uneven).toMatchObject({ base: '2000', bonusTokens: '0.0012', total: '2000.0012' })
  })

  it.each([
    [1, 0.0049999, '0.0049999'],
    [1, 0.005, '0.01'],
    [0.5, 0.00000004, '0.00000002'],
    [0.5, 0.000000000001, '0.0000000000005'],
    [0, 0.0001, '0'],
  ])('has dollars of its bonuses: %d tokens at $%d are $%s', (tokens, price, dollars) => {
    const deal = dealOf(usdFromWire(10), priceFromWire(price), { base_bonus: tokens }, DECIMALS)
    expect(deal.bonusUsd).toBe(dollars)
  })

  it.each([
    [1000, 0.000103214, [10, 5, 5, 3]],
    [33.33, 0.0003, [10, 2, 5, 3, 5]],
    [0.01, 0.7, [33.3333]],
    [99_999.99, 0.000123456789, [8, 15, 5, 3, 5]],
    [37.77, 0.0377, [3.125, 6.0625, 0.0026, 1.3333]],
  ])('has lines that add up to its total: $%d at $%d', (amount, price, rates) => {
    const base = amount / price
    const types = [
      'base_bonus',
      'spending_bonus',
      'limited_time_bonus',
      'limited_time_signup_bonus',
      'first_purchase_bonus',
    ]
    const bonuses = Object.fromEntries(
      rates.map((rate, index) => [types[index], Number(((base * rate) / 100).toPrecision(15))]),
    )
    const deal = dealOf(usdFromWire(amount), priceFromWire(price), bonuses, DECIMALS)
    const lines = deal.lines.map((line) => line.tokens)
    expect(sum(lines)).toBe(units(deal.bonusTokens))
    expect(sum([deal.base, ...lines])).toBe(units(deal.total))
    expect(deal.lines.map((line) => Number(line.percent))).toEqual(rates)
  })
})
