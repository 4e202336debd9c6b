import fc from 'fast-check'
import { type Reversal, reversalKinds } from '#domain/settlement/facts.ts'
import { percentage, price, tokenAmount, unitsForUsd, usd } from '#domain/money.ts'
import type { Sale, Stage } from '#domain/sale/sale.ts'
import {
  aPaymentToken,
  aSale,
  aStage,
  dollars,
  minute,
  someBonuses,
  WITHOUT_BOUNDS,
} from '#tests/kit/builders/domain-builders.ts'

const rate = fc.constantFrom(0n, 0n, 1n, 33_333n, 50_000n, 250_000n).map(percentage)

const bonuses = fc
  .record({
    base: rate,
    tier: rate,
    more: rate,
    eth: rate,
    limited: rate,
    limitedUntil: fc.integer({ min: 1, max: 90 }),
    first: rate,
    signup: rate,
    signupMinutes: fc.integer({ min: 1, max: 60 }),
    earn: fc.constantFrom(dollars('0'), dollars('25'), dollars('300')),
    spend: fc.constantFrom(dollars('0'), dollars('50'), dollars('250')),
  })
  .map((random) =>
    someBonuses({
      base: random.base,
      // A higher tier has no lower rate: see the tiers in docs/money.md.
      spending: [
        { from: dollars('100'), rate: random.tier },
        { from: dollars('500'), rate: percentage(random.tier + random.more) },
      ],
      paymentTokens: [{ paymentTokenId: 'eth', rate: random.eth }],
      limitedTime: {
        startsAt: minute(0),
        endsAt: minute(random.limitedUntil),
        rate: random.limited,
      },
      signup: {
        firstPurchase: random.first,
        limitedTime: { minutesAfterSignup: random.signupMinutes, rate: random.signup },
      },
      referrals: { earn: random.earn, spend: random.spend },
    }),
  )

const stagePrices = fc.constantFrom(
  10n ** 8n,
  333_333_333_333n,
  10n ** 12n,
  7n * 10n ** 12n,
  2n * 10n ** 13n,
)

const stageOf = fc.record({
  isDynamic: fc.boolean(),
  from: stagePrices,
  to: stagePrices,
  /** What its tokens would cost at the first price. */
  supplyUsd: fc.oneof(
    fc.bigInt({ min: 100n, max: 3_000n }),
    fc.constantFrom(500n, 1_000n, 100_000n),
  ),
  minUsd: fc.constantFrom(null, dollars('20')),
  maxUsd: fc.constantFrom(null, null, dollars('400'), dollars('1500')),
  minutes: fc.option(fc.integer({ min: 10, max: 200 }), { nil: null, freq: 2 }),
  gap: fc.constantFrom(0, 0, 0, 15),
  bonuses,
})

/** Sales of one to three small stages, so that a few dozen events reach their ends. */
export const randomSale: fc.Arbitrary<Sale> = fc
  .record({
    stages: fc.array(stageOf, { minLength: 1, maxLength: 3 }),
    decimals: fc.constantFrom(0, 6, 18),
    startsAt: fc.constantFrom(0, 0, 0, 10),
    openPerUser: fc.constantFrom(2, 10),
  })
  .map(({ stages, decimals, startsAt, openPerUser }) => {
    let from = startsAt
    const list = stages.map((random, index): Stage => {
      from += random.gap
      const startsAtMinute = from
      from += random.minutes ?? 60
      const supply = unitsForUsd(
        usd(random.supplyUsd * 10n ** 6n),
        price(random.from),
        decimals,
        'up',
      )
      return aStage({
        id: `stage-${index + 1}`,
        type: random.isDynamic ? 'dynamic' : 'fixed',
        tokenPrice: price(random.from),
        finalTokenPrice: price(random.isDynamic ? random.to : random.from),
        supply: tokenAmount(supply),
        tokenDecimals: decimals,
        startsAt: minute(startsAtMinute),
        endsAt: random.minutes === null ? null : minute(from),
        minUsd: random.minUsd,
        maxUsd: random.maxUsd,
        bonuses: random.bonuses,
      })
    })
    return aSale({
      stages: list,
      purchases: { expireAfterMs: 1_800_000, openPerUserMax: openPerUser, ...WITHOUT_BOUNDS },
      paymentTokens: [
        aPaymentToken(),
        aPaymentToken({ id: 'usdt', decimals: 6, fixedPrice: price(10n ** 12n) }),
      ],
    })
  })

/** The same sale with so many tokens that nobody ever finds too few. */
export function withPlenty(sale: Sale): Sale {
  const stages = sale.stages.map((stage) => ({
    ...stage,
    supply: tokenAmount(stage.supply * 10n ** 9n),
  }))
  return { ...sale, stages }
}

/** What may happen to a sale. Numbers choose from what there is at that moment. */
export type SaleEvent =
  | { kind: 'buys'; user: number; cents: number; token: 'eth' | 'usdt' }
  | { kind: 'buys what is left'; user: number }
  | { kind: 'pays'; purchase: number; part: number; crumb: number; isForeign: boolean }
  | { kind: 'pays together'; transfer: number; purchase: number; part: number }
  | { kind: 'mines'; count: number }
  | { kind: 'reorganises'; depth: number }
  | { kind: 'mines again'; transfer: number }
  | { kind: 'passes'; seconds: number }
  | { kind: 'price moves'; token: 'eth' | 'usdt'; percent: number }
  | { kind: 'pauses' | 'resumes' | 'node falls silent' | 'node answers' }
  | { kind: 'marks'; purchase: number; mark: 'failed' | 'held' | 'released' }
  | { kind: 'reverses'; purchase: number; by: Reversal['kind'] }
  | { kind: 'gateway fails'; purchase: number }

const whichever = fc.nat({ max: 59 })
const token = fc.constantFrom('eth' as const, 'eth' as const, 'usdt' as const)
/** Thousandths of the amount due, including the edges of every tolerance. */
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1000) },
  { weight: 3, arbitrary: fc.constantFrom(50, 300, 500, 994, 995, 1010, 1011, 2000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3500 }) },
)
const kind = <Kind extends SaleEvent['kind']>(name: Kind) => fc.constant(name)

const oneEvent: fc.Arbitrary<SaleEvent> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      kind: kind('buys'),
      user: whichever,
      cents: fc.oneof(
        fc.constantFrom(1_000, 9_999, 10_000, 10_001, 25_000, 50_000),
        fc.integer({ min: 900, max: 120_000 }),
      ),
      token,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('buys what is left'), user: whichever }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: kind('pays'),
      purchase: whichever,
      part,
      crumb: fc.integer({ min: -1, max: 1 }),
      isForeign: fc.constantFrom(...Array<boolean>(11).fill(false), true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('pays together'),
      transfer: whichever,
      purchase: whichever,
      part,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({ kind: kind('mines'), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('reorganises'), depth: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('mines again'), transfer: whichever }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('passes'),
      seconds: fc.constantFrom(0, 1, 600, 1_799, 1_800, 1_801, 3_600),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('price moves'),
      token,
      percent: fc.constantFrom(50, 99, 101, 130),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pauses' as const,
        'resumes' as const,
        'resumes' as const,
        'node falls silent' as const,
        'node answers' as const,
        'node answers' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('marks'),
      purchase: whichever,
      mark: fc.constantFrom('failed' as const, 'held' as const, 'released' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('reverses'),
      purchase: whichever,
      by: fc.constantFrom(...reversalKinds),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('gateway fails'), purchase: whichever }) },
)

export const randomEvents = fc.array(oneEvent, { minLength: 12, maxLength: 40, size: 'max' })
