import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bonusTokens,
  type LockedBonuses,
  lockBonuses,
  mostGenerousBonuses,
  sumBonuses,
  withoutFirstPurchase,
} from './bonus.ts'
import { percentage, price, tokenAmount, unitsForUsd, usd } from '#domain/money.ts'
import {
  dollars,
  minute,
  percent,
  someBonuses,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const bonuses = someBonuses({
  base: percent('10'),
  spending: [{ from: dollars('1000'), rate: percent('5') }],
  paymentTokens: [
    { paymentTokenId: 'bnb', rate: percent('3') },
    { paymentTokenId: 'zero', rate: percent('0') },
  ],
  limitedTime: { startsAt: minute(10), endsAt: minute(20), rate: percent('2') },
  signup: {
    firstPurchase: percent('7'),
    limitedTime: { minutesAfterSignup: 60, rate: percent('4') },
  },
})

const stranger = { paymentTokenId: 'eth', now: minute(5), signedUpAt: null, isFirstPurchase: false }

describe('lockBonuses', () => {
  const always = { base_bonus: percent('10') }

  test.each([
    { name: 'a stranger', buyer: {}, flat: {} },
    {
      name: 'in a token with a bonus',
      buyer: { paymentTokenId: 'bnb' },
      flat: { tiered_fiat_bonus: percent('3') },
    },
    { name: 'in a token with a bonus of nothing', buyer: { paymentTokenId: 'zero' }, flat: {} },
    {
      name: 'at the first instant of the limited time',
      buyer: { now: minute(10) },
      flat: { limited_time_bonus: percent('2') },
    },
    {
      name: 'just before its end',
      buyer: { now: minute(19.999) },
      flat: { limited_time_bonus: percent('2') },
    },
    { name: 'at its end', buyer: { now: minute(20) }, flat: {} },
    {
      name: 'within the minutes after signing up',
      buyer: { signedUpAt: minute(-55) },
      flat: { limited_time_signup_bonus: percent('4') },
    },
    { name: 'after them', buyer: { signedUpAt: minute(-55.001) }, flat: {} },
    {
      name: 'for the first time',
      buyer: { signedUpAt: minute(-1000), isFirstPurchase: true },
      flat: { first_purchase_bonus: percent('7') },
    },
  ])('$name', ({ buyer, flat }) => {
    expect(lockBonuses(bonuses, { ...stranger, ...buyer })).toEqual({
      flat: { ...always, ...flat },
      spending: bonuses.spending,
    })
  })

  test('nothing is promised where nothing is granted', () => {
    expect(lockBonuses(someBonuses(), stranger).flat).toEqual({})
  })
})

test('the most generous bonuses are all that a stage has for a payment token', () => {
  expect(mostGenerousBonuses(bonuses, 'bnb').flat).toEqual({
    base_bonus: percent('10'),
    limited_time_bonus: percent('2'),
    limited_time_signup_bonus: percent('4'),
    first_purchase_bonus: percent('7'),
    tiered_fiat_bonus: percent('3'),
  })
  expect(mostGenerousBonuses(someBonuses(), 'eth').flat).toEqual({})
})

test('the bonus for a first purchase can be taken away', () => {
  const locked = lockBonuses(bonuses, { ...stranger, isFirstPurchase: true })

  expect(withoutFirstPurchase(locked)).toEqual(lockBonuses(bonuses, stranger))
})

describe('bonusTokens', () => {
  const tiers: LockedBonuses = {
    flat: {},
    spending: [
      { from: dollars('500'), rate: percent('1') },
      { from: dollars('5000'), rate: percent('3') },
      { from: dollars('1000'), rate: percent('2') },
    ],
  }

  test.each([
    { spent: '499.999999', bonus: undefined },
    { spent: '500', bonus: '1' },
    { spent: '999.999999', bonus: '1' },
    { spent: '1000', bonus: '2' },
    { spent: '4999.999999', bonus: '2' },
    { spent: '5000', bonus: '3' },
    { spent: '1000000', bonus: '3' },
  ])('the highest tier that $$spent reaches counts, alone', ({ spent, bonus }) => {
    expect(bonusTokens(tiers, dollars(spent), tokens('100')).spending_bonus).toBe(
      bonus === undefined ? undefined : tokens(bonus),
    )
  })

  test('each is rounded down by itself, and less than one unit is nothing', () => {
    const locked = {
      flat: { base_bonus: percent('10'), first_purchase_bonus: percent('19') },
      spending: [],
    }

    expect(bonusTokens(locked, dollars('1'), tokenAmount(19n))).toEqual({
      base_bonus: 1n,
      first_purchase_bonus: 3n,
    })
    expect(bonusTokens(locked, dollars('1'), tokenAmount(9n))).toEqual({ first_purchase_bonus: 1n })
    expect(sumBonuses({ base_bonus: tokenAmount(1n), spending_bonus: tokenAmount(2n) })).toBe(3n)
    expect(sumBonuses({})).toBe(0n)
  })

  test('every type is right to the last unit, by an independent calculation', patiently, () => {
    const rate = fc.bigInt({ min: 0n, max: 3_000_000n })
    const random = fc.record({
      millionths: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      tokenPrice: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      decimals: fc.integer({ min: 0, max: 24 }),
      flat: fc.record({
        base_bonus: rate,
        limited_time_bonus: rate,
        limited_time_signup_bonus: rate,
        first_purchase_bonus: rate,
        tiered_fiat_bonus: rate,
      }),
      spending: fc.array(fc.record({ from: fc.bigInt({ min: 0n, max: 10n ** 18n }), rate }), {
        maxLength: 4,
      }),
    })
    fc.assert(
      fc.property(random, ({ millionths, tokenPrice, decimals, flat, spending }) => {
        const spent = usd(millionths)
        const base = tokenAmount(unitsForUsd(spent, price(tokenPrice), decimals, 'down'))
        const branded = Object.entries(flat).map(([type, units]) => [type, percentage(units)])
        const locked: LockedBonuses = {
          flat: Object.fromEntries(branded),
          spending: spending.map((tier) => ({ from: usd(tier.from), rate: percentage(tier.rate) })),
        }

        expect(bonusTokens(locked, spent, base)).toEqual(bonusesByLongDivision())

        // Dollars and prices as fractions; a bonus is a share of the whole tokens before rounding
        // to base units, so it is compared with the share of the rounded base.
        function bonusesByLongDivision() {
          const wholeBase = floorOfFraction(
            millionths * 10n ** 12n * 10n ** BigInt(decimals),
            10n ** 6n * tokenPrice,
          )
          const reached = spending.filter(({ from }) => from <= millionths)
          const highest = reached.reduce((most, { from }) => (from > most ? from : most), -1n)
          const rates = { ...flat, spending_bonus: reached.find((t) => t.from === highest)?.rate }
          const expected: Record<string, bigint> = {}
          for (const [type, units] of Object.entries(rates)) {
            const share = floorOfFraction(wholeBase * (units ?? 0n), 1_000_000n)
            if (share > 0n) expected[type] = share
          }
          return expected
        }
      }),
      randomRuns(2000),
    )
  })
})

/** The integer part by long division, digit by digit, without one bigint division of the whole. */
function floorOfFraction(numerator: bigint, denominator: bigint): bigint {
  let digits = ''
  let rest = 0n
  for (const digit of numerator.toString()) {
    rest = rest * 10n + BigInt(digit)
    let times = 0
    while (rest >= denominator) {
      rest -= denominator
      times += 1
    }
    digits += String(times)
  }
  return BigInt(digits)
}
