import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentage, price, tokenAmount, usd } from '#domain/money.ts'
import { type BonusTokens, bonusTypes, type StageBonuses } from '#domain/sale/bonus.ts'
import {
  bonusTokensToWire,
  instantFromWire,
  instantToWire,
  percentageFromWire,
  percentageToWire,
  priceFromWire,
  priceToWire,
  tokensFromWire,
  tokensToWire,
  unitsFromWire,
  usdFromWire,
  usdToWire,
} from './codec.ts'
import { Stage, Transaction } from './shapes.ts'
import { type StageOnSale, stageFromWire, stageToWire } from './stage-codec.ts'

/** What a JSON number holds to the last digit, and what it does not. */
const exact = fc.bigInt(0n, 10n ** 15n - 1n)
const large = fc.bigInt(0n, 10n ** 40n)
const decimals = fc.integer({ min: 0, max: 18 })
const instants = fc.date({
  min: new Date('2000-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
})
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const bonusTokens = (amounts: fc.Arbitrary<bigint>): fc.Arbitrary<BonusTokens> =>
  fc.dictionary(fc.constantFrom(...bonusTypes), amounts.map(tokenAmount), { noNullPrototype: true })

function stageBonuses(amounts: fc.Arbitrary<bigint>): fc.Arbitrary<StageBonuses> {
  const rate = amounts.map(percentage)
  const dollars = amounts.map(usd)
  return fc.record({
    base: rate,
    spending: fc.array(fc.record({ from: dollars, rate })),
    paymentTokens: fc.array(fc.record({ paymentTokenId: fc.string(), rate })),
    limitedTime: optional(fc.record({ startsAt: instants, endsAt: instants, rate })),
    signup: fc.record({
      firstPurchase: rate,
      limitedTime: optional(fc.record({ minutesAfterSignup: fc.nat(), rate })),
    }),
    referrals: fc.record({ earn: dollars, spend: dollars }),
  })
}

/** Stages as they are on sale: at one price, with the minimum of the moment. */
function stagesOnSale(amounts: fc.Arbitrary<bigint>): fc.Arbitrary<StageOnSale> {
  return fc
    .record({
      id: fc.string(),
      name: fc.string(),
      type: fc.constantFrom('fixed' as const, 'dynamic' as const),
      tokenPrice: amounts.map(price),
      supply: amounts.map(tokenAmount),
      sold: amounts.map(tokenAmount),
      tokenDecimals: decimals,
      startsAt: instants,
      endsAt: optional(instants),
      minUsd: optional(amounts.map(usd)),
      maxUsd: optional(amounts.map(usd)),
      bonuses: stageBonuses(amounts),
    })
    .map(({ sold, ...stage }) => {
      const { tokenPrice, minUsd } = stage
      const shown = { ...stage, finalTokenPrice: tokenPrice, vesting: null }
      return { stage: shown, tokenPrice, sold, minUsd }
    })
}

describe('what was written to the wire is read from it', () => {
  it('as it was, where it has no more digits than a number of the wire', () => {
    fc.assert(
      fc.property(
        exact,
        decimals,
        instants,
        bonusTokens(exact),
        (amount, tokenDecimals, at, bonuses) => {
          expect(usdFromWire(usdToWire(usd(amount)))).toBe(amount)
          expect(priceFromWire(priceToWire(price(amount)))).toBe(amount)
          expect(percentageFromWire(percentageToWire(percentage(amount)))).toBe(amount)
          const wire = tokensToWire(tokenAmount(amount), tokenDecimals)
          expect(tokensFromWire(wire, tokenDecimals)).toBe(amount)
          expect(instantFromWire(instantToWire(at))).toEqual(at)
          const wireBonuses = bonusTokensToWire(bonuses, tokenDecimals)
          const readBonuses = Object.entries(wireBonuses).map(([type, each]) => {
            return [type, tokensFromWire(each, tokenDecimals)]
          })
          expect(Object.fromEntries(readBonuses)).toEqual(bonuses)
          expect(Transaction.shape.tokens.shape.bonuses.parse(wireBonuses)).toEqual(wireBonuses)
        },
      ),
    )
  })

  it('as it was, for a whole stage', () => {
    fc.assert(
      fc.property(stagesOnSale(exact), (onSale) => {
        const wire = stageToWire(onSale)
        expect(Stage.parse(wire)).toEqual(wire)
        expect(stageFromWire(wire, onSale.stage.tokenDecimals)).toEqual(onSale)
      }),
    )
  })

  it('never as more than it was, and written again it is the same', () => {
    fc.assert(
      fc.property(large, stagesOnSale(large), (amount, onSale) => {
        const { tokenDecimals } = onSale.stage
        const read = unitsFromWire(tokensToWire(tokenAmount(amount), tokenDecimals), tokenDecimals)
        expect(read).toBeLessThanOrEqual(amount)
        const wire = stageToWire(onSale)
        expect(stageToWire(stageFromWire(wire, tokenDecimals))).toEqual(wire)
      }),
    )
  })
})

it('cuts what is finer than the unit', () => {
  expect(unitsFromWire(1.239, 2)).toBe(123n)
  expect(unitsFromWire(7.9, 0)).toBe(7n)
  expect(usdFromWire(1000.5)).toBe(1_000_500_000n)
  expect(priceFromWire(0.0000001)).toBe(100_000n)
})
