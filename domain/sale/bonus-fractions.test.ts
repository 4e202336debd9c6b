import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bonusTokens, lockBonuses, sumBonuses } from './bonus.ts'
import { cryptoAmount, percentage, price, tokenAmount, unitsForUsd, usd } from '#domain/money.ts'
import { settlePurchase } from '#domain/settlement/settle.ts'
import { quote } from './quote.ts'
import { stagePrice } from './stage.ts'
import {
  aPaymentToken,
  aReceipt,
  aStage,
  minute,
  someBonuses,
  someFacts,
  someTerms,
} from '#tests/kit/builders/domain-builders.ts'
import { bonusesByRates, expectedRates } from '#tests/kit/model/expected-bonuses.ts'
import { Fraction } from '#tests/kit/model/fraction.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const rate = fc.oneof(
  fc.constantFrom(0n, 1n, 33_333n, 999_999n, 1_000_000n),
  fc.bigInt({ min: 0n, max: 3_000_000n }),
)
const beside = fc.constantFrom(-1, 0, 0, 1)
const wholeMinutes = fc.integer({ min: 0, max: 10_000 })
const MINUTE_MS = 60_000

/** Bonuses, a buyer and an amount, often at the very limit of what is granted. */
const cases = fc
  .record({
    rates: fc.tuple(rate, rate, rate, rate, rate),
    tiers: fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 4 }),
    tierRates: fc.tuple(rate, rate, rate, rate),
    from: wholeMinutes,
    lasts: fc.integer({ min: 1, max: 5_000 }),
    newFor: wholeMinutes,
    at: fc.constantFrom('start', 'end', 'somewhen'),
    somewhen: wholeMinutes,
    signedUp: fc.constantFrom('never', 'just in time', 'before'),
    ago: wholeMinutes,
    nowBeside: beside,
    signupBeside: beside,
    isFirstPurchase: fc.boolean(),
    isPaidInBonusToken: fc.boolean(),
    spentAt: fc.option(fc.nat({ max: 3 })),
    spent: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    spentBeside: beside,
  })
  .map((random) => {
    const [base, token, limited, newcomer, first] = random.rates.map(percentage)
    const none = percentage(0n)
    const sorted = random.tiers.toSorted((one, other) => (one < other ? -1 : 1))
    const bonuses = someBonuses({
      base: base ?? none,
      spending: sorted.map((from, index) => ({
        from: usd(from),
        rate: percentage(random.tierRates[index] ?? 0n),
      })),
      paymentTokens: [{ paymentTokenId: 'eth', rate: token ?? none }],
      limitedTime: {
        startsAt: minute(random.from),
        endsAt: minute(random.from + random.lasts),
        rate: limited ?? none,
      },
      signup: {
        firstPurchase: first ?? none,
        limitedTime: { minutesAfterSignup: random.newFor, rate: newcomer ?? none },
      },
    })
    const places = { start: random.from, end: random.from + random.lasts }
    const place = random.at === 'somewhen' ? random.somewhen : places[random.at]
    const now = new Date(minute(place).getTime() + random.nowBeside)
    const agoMs = (random.signedUp === 'before' ? random.ago : random.newFor) * MINUTE_MS
    const signedUpAt =
      random.signedUp === 'never' ? null : new Date(now.getTime() - agoMs + random.signupBeside)
    const edge = random.spentAt === null ? undefined : sorted[random.spentAt]
    const spent = edge === undefined ? random.spent : edge + BigInt(random.spentBeside)
    return {
      bonuses,
      buyer: {
        paymentTokenId: random.isPaidInBonusToken ? 'eth' : 'btc',
        now,
        signedUpAt,
        isFirstPurchase: random.isFirstPurchase,
      },
      spent: usd(spent > 0n ? spent : 1n),
    }
  })

const stages = fc
  .record({
    isDynamic: fc.boolean(),
    from: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
    to: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
    supply: fc.bigInt({ min: 1n, max: 10n ** 31n }),
    soldPart: fc.bigInt({ min: 0n, max: 1000n }),
    decimals: fc.constantFrom(0, 6, 18, 24),
  })
  .map(({ isDynamic, from, to, supply, soldPart, decimals }) => ({
    stage: aStage({
      type: isDynamic ? 'dynamic' : 'fixed',
      tokenPrice: price(from),
      finalTokenPrice: price(isDynamic ? to : from),
      supply: tokenAmount(supply),
      tokenDecimals: decimals,
    }),
    progress: { reserved: tokenAmount(0n), sold: tokenAmount((supply * soldPart) / 1000n) },
  }))

describe('bonuses', patiently, () => {
  test('previewed, quoted and credited are one and the same, and as exact fractions say', () => {
    fc.assert(
      fc.property(cases, stages, ({ bonuses, buyer, spent }, { stage, progress }) => {
        const locked = lockBonuses(bonuses, buyer)
        const tokenPrice = stagePrice(stage, progress.sold)
        const base = Fraction.scaled(spent, 6)
          .over(Fraction.scaled(tokenPrice, 12))
          .wholeUnits(stage.tokenDecimals)
        const exact = bonusesByRates(expectedRates(bonuses, { ...buyer, spent }), tokenAmount(base))

        const previewed = bonusTokens(
          locked,
          spent,
          tokenAmount(unitsForUsd(spent, tokenPrice, stage.tokenDecimals, 'down')),
        )
        const cryptoPrice = price(2_000n * 10n ** 12n)
        const paymentToken = aPaymentToken()
        const quoted = quote({ stage, progress, paymentToken, cryptoPrice, usd: spent, locked })
        expect(previewed).toEqual(exact)
        expect(quoted.bonuses).toEqual(exact)
        expect(quoted.base).toBe(base)
        expect(quoted.total).toBe(base + sumBonuses(exact))

        const terms = someTerms({
          ...quoted,
          tokenDecimals: stage.tokenDecimals,
          reserved: quoted.total,
          lockedBonuses: locked,
          minUsd: usd(0n),
          maxUsd: null,
        })
        const receipts = [aReceipt('0', { amount: cryptoAmount(quoted.cryptoDue) })]
        const { credited } = settlePurchase(someFacts({ terms, receipts }), () => tokenAmount(0n))
        if (base === 0n) return
        expect(credited.usd).toBe(spent)
        expect(credited.bonuses).toEqual(exact)
      }),
      randomRuns(3000),
    )
  })
})
