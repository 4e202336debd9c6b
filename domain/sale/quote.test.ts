import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LockedBonuses, mostGenerousBonuses, sumBonuses } from './bonus.ts'
import {
  add,
  cryptoAmount,
  percentage,
  price,
  tokenAmount,
  type Usd,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import { quote, spendingLimits } from './quote.ts'
import type { Stage, StageProgress } from './sale.ts'
import { isSoldOut, remaining } from './stage.ts'
import {
  aPaymentToken,
  aStage,
  dollars,
  eth,
  exampleBonuses,
  percent,
  priced,
  progress,
  someBonuses,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const none: LockedBonuses = { flat: {}, spending: [] }

describe('quote', () => {
  const request = {
    stage: aStage(),
    progress: progress('0'),
    paymentToken: aPaymentToken(),
    cryptoPrice: priced('2000'),
    usd: dollars('1000'),
    locked: exampleBonuses,
  }

  test('says what an amount buys and what has to be sent', () => {
    expect(quote(request)).toEqual({
      usd: dollars('1000'),
      tokenPrice: priced('0.1'),
      cryptoPrice: priced('2000'),
      cryptoDue: eth('0.5'),
      base: tokens('10000'),
      bonuses: { base_bonus: tokens('1000') },
      total: tokens('11000'),
    })
  })

  test('what has to be sent is rounded up, what is bought is rounded down', () => {
    const stage = aStage({ tokenPrice: priced('0.3'), tokenDecimals: 0 })
    const paymentToken = aPaymentToken({ decimals: 2 })
    const thirds = quote({ ...request, stage, paymentToken, cryptoPrice: priced('3') })

    expect(thirds.cryptoDue).toBe(33334n)
    expect(thirds.base).toBe(3333n)
    expect(thirds.bonuses).toEqual({ base_bonus: 333n })
  })

  test('a dynamic stage has the price of what it has sold', () => {
    const stage = aStage({ type: 'dynamic', finalTokenPrice: priced('0.3') })

    expect(quote({ ...request, stage, progress: progress('500_000') }).tokenPrice).toBe(
      priced('0.2'),
    )
  })

  test('what is sent is worth what was asked for, and hardly more', patiently, () => {
    const random = fc.record({
      amount: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      cryptoPrice: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      decimals: fc.integer({ min: 0, max: 18 }),
    })
    fc.assert(
      fc.property(random, ({ amount, cryptoPrice, decimals }) => {
        const { cryptoDue } = quote({
          ...request,
          usd: usd(amount),
          cryptoPrice: price(cryptoPrice),
          paymentToken: aPaymentToken({ decimals }),
        })
        const valueOf = (units: bigint) =>
          usdForUnits(cryptoAmount(units), price(cryptoPrice), decimals, 'down')

        const leastStep = 10n ** BigInt(Math.max(0, decimals - 8))
        expect(valueOf(cryptoDue)).toBeGreaterThanOrEqual(amount)
        expect(valueOf(cryptoDue - leastStep)).toBeLessThan(amount)
        expect(cryptoDue % leastStep).toBe(0n)
      }),
      randomRuns(2000),
    )
  })
})

const minimums = { minUsd: dollars('50'), maxUsd: dollars('5000') }

describe('spendingLimits', () => {
  const stage = aStage(minimums)

  test.each([
    { name: 'the larger minimum is the one of the stage', tokenMin: '10', min: '50' },
    { name: 'the larger minimum is the one of the token', tokenMin: '70', min: '70' },
  ])('$name', ({ tokenMin, min }) => {
    const paymentToken = aPaymentToken({ minUsd: dollars(tokenMin) })

    expect(spendingLimits(stage, progress('0'), paymentToken, none)).toEqual({
      min: dollars(min),
      max: dollars('5000'),
      isLastRemainder: false,
      available: dollars('100000'),
    })
  })

  test('the smallest unit has to be paid for, whatever is allowed', () => {
    const whole = aStage({
      tokenPrice: priced('150.0000005'),
      tokenDecimals: 0,
      supply: tokenAmount(10n),
      minUsd: dollars('1'),
    })
    const { min } = spendingLimits(whole, progress('0'), aPaymentToken())
    expect(min).toBe(dollars('150.000001'))
    const request = {
      stage: whole,
      progress: progress('0'),
      paymentToken: aPaymentToken(),
      cryptoPrice: priced('2000'),
      locked: none,
    }
    expect(quote({ ...request, usd: min }).base).toBe(1n)
    expect(quote({ ...request, usd: usd(min - 1n) }).base).toBe(0n)
  })

  test('a stage without limits has the minimum of the token', () => {
    expect(spendingLimits(aStage(), progress('0'), aPaymentToken())).toMatchObject({
      min: dollars('10'),
      max: null,
    })
  })

  test.each([
    // A token costs ten cents.
    { left: '500', min: '50', isLastRemainder: false, available: '50' },
    { left: '499.99', min: '49.999', isLastRemainder: true, available: '49.999' },
    { left: '0.1', min: '0.01', isLastRemainder: true, available: '0.01' },
    { left: '0.09', min: '50', isLastRemainder: false, available: '0.009' },
    { left: '0', min: '50', isLastRemainder: false, available: '0' },
  ])('with $left tokens left', ({ left, min, isLastRemainder, available }) => {
    const sold = {
      reserved: tokens('1000'),
      sold: tokenAmount(stage.supply - tokens(left) - tokens('1000')),
    }

    expect(spendingLimits(stage, sold, aPaymentToken(), none)).toEqual({
      min: dollars(min),
      max: dollars('5000'),
      isLastRemainder,
      available: dollars(available),
    })
  })

  test('of the last remainder a buyer pays for what is not bonus', () => {
    const generous = aStage({ ...minimums, bonuses: someBonuses({ base: percent('25') }) })
    const locked = { flat: { base_bonus: percent('25') }, spending: [] }

    expect(spendingLimits(generous, progress('999_900'), aPaymentToken(), locked)).toMatchObject({
      min: dollars('8'),
      available: dollars('8'),
      isLastRemainder: true,
    })
  })

  test('a tier of the spending bonus that does not fit is not reached', () => {
    const locked = { flat: {}, spending: [{ from: dollars('10'), rate: percent('50') }] }
    const { available } = spendingLimits(stage, progress('999_880'), aPaymentToken(), locked)

    // $10 would take 150 of the 120 tokens, and $9.999999 takes 99.99999.
    expect(available).toBe(dollars('9.999999'))
  })

  test('a token that cannot be divided is not paid for in part', () => {
    const whole = aStage({
      tokenDecimals: 0,
      tokenPrice: priced('30'),
      supply: tokenAmount(100n),
      minUsd: dollars('500'),
    })
    const sold = { reserved: tokenAmount(0n), sold: tokenAmount(97n) }

    expect(spendingLimits(whole, sold, aPaymentToken(), none)).toMatchObject({
      min: dollars('90'),
      available: dollars('90'),
    })
  })
})

describe('the last remainder', () => {
  // Each below 100 %, or a last indivisible token would have no room for its own bonus.
  const rate = fc.bigInt({ min: 0n, max: 300_000n }).map(percentage)
  const random = fc
    .record({
      decimals: fc.constantFrom(0, 2, 9, 18),
      tokenPrice: fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }).map(price),
      left: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      min: fc.bigInt({ min: 0n, max: 10n ** 9n }).map(usd),
      rates: fc.tuple(rate, rate, rate),
      tiers: fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }).map(usd), { maxLength: 3 }),
    })
    .map(({ decimals, tokenPrice, left, min, rates: [base, firstPurchase, step], tiers }) => {
      const spending = tiers
        .toSorted((one, other) => (one < other ? -1 : 1))
        .map((from, index) => ({ from, rate: percentage(step * BigInt(index + 1)) }))
      const stage: Stage = aStage({
        tokenDecimals: decimals,
        tokenPrice,
        supply: tokenAmount(left * 10n ** BigInt(Math.max(0, decimals - 3)) + 1n),
        minUsd: min,
        bonuses: someBonuses({ base, spending, signup: { firstPurchase, limitedTime: null } }),
      })
      const plain: LockedBonuses = { flat: { base_bonus: base }, spending }
      return { stage, plain, full: mostGenerousBonuses(stage.bonuses, 'eth') }
    })

  const paymentToken = aPaymentToken({ minUsd: dollars('1') })
  const totalOf = (stage: Stage, sold: StageProgress, amount: Usd, locked: LockedBonuses) => {
    const { base, bonuses } = quote({
      stage,
      progress: sold,
      paymentToken,
      cryptoPrice: priced('1'),
      usd: amount,
      locked,
    })
    return add(base, sumBonuses(bonuses))
  }
  const buy = (sold: StageProgress, bought: bigint): StageProgress => ({
    reserved: sold.reserved,
    sold: tokenAmount(sold.sold + bought),
  })

  test('what is available fits, and nothing that fits gives more', patiently, () => {
    fc.assert(
      fc.property(
        random,
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        ({ stage, plain, full }, more) => {
          for (const locked of [plain, full]) {
            const sold = progress('0')
            const limits = spendingLimits(stage, sold, paymentToken, locked)
            const { available } = limits
            const left = remaining(stage, sold)
            const best = totalOf(stage, sold, available, locked)
            const richer = totalOf(stage, sold, usd(available + more), locked)

            expect(best).toBeLessThanOrEqual(left)
            expect(richer > left || richer === best).toBe(true)
            const isAtTier = locked.spending.some(({ from }) => from === available)
            const isCheapest =
              available === 0n ||
              isAtTier ||
              totalOf(stage, sold, usd(available - 1n), locked) < best

            expect(isCheapest).toBe(true)
            expect(limits.isLastRemainder && limits.min > available).toBe(false)
          }
        },
      ),
      randomRuns(2000),
    )
  })

  test('can be bought by everybody for the minimum, until nothing is left', patiently, () => {
    fc.assert(
      fc.property(
        random,
        fc.array(fc.boolean(), { maxLength: 60 }),
        ({ stage, ...buyers }, who) => {
          let sold = progress('0')
          for (const isGenerous of [...who, ...Array<boolean>(200).fill(false)]) {
            const { isLastRemainder, min } = spendingLimits(stage, sold, paymentToken)
            if (!isLastRemainder) break
            const bought = totalOf(stage, sold, min, isGenerous ? buyers.full : buyers.plain)
            expect(bought).toBeLessThanOrEqual(remaining(stage, sold))
            expect(bought).toBeGreaterThan(0n)
            sold = buy(sold, bought)
          }
          const { min } = spendingLimits(stage, sold, paymentToken)

          expect(isSoldOut(stage, sold) || min >= dollars('1')).toBe(true)
          expect(spendingLimits(stage, sold, paymentToken).isLastRemainder).toBe(false)
        },
      ),
      randomRuns(1000),
    )
  })

  test('whoever buys what is available ends the stage', patiently, () => {
    fc.assert(
      fc.property(random, ({ stage, plain }) => {
        let sold = progress('0')
        for (let purchases = 0; purchases < 5 && !isSoldOut(stage, sold); purchases += 1) {
          const { available } = spendingLimits(stage, sold, paymentToken, plain)
          sold = buy(sold, totalOf(stage, sold, available, plain))
        }

        expect(isSoldOut(stage, sold)).toBe(true)
      }),
      randomRuns(1000),
    )
  })
})
