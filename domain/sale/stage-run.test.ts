import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LockedBonuses } from './bonus.ts'
import { percentage, price, tokenAmount, unitsForUsd, usd } from '#domain/money.ts'
import { quote, spendingLimits } from './quote.ts'
import type { Stage, StageProgress } from './sale.ts'
import { finalPrice, isSoldOut, remaining, saleStatus, stagePrice } from './stage.ts'
import {
  aPaymentToken,
  aSale,
  aStage,
  minute,
  someBonuses,
} from '#tests/kit/builders/domain-builders.ts'
import { Fraction } from '#tests/kit/model/fraction.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const prices = fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }).map(price)
/** Each below 100 %, or a last indivisible token would have no room for its own bonus. */
const rate = fc.bigInt({ min: 0n, max: 300_000n }).map(percentage)

const stages = fc
  .record({
    isDynamic: fc.boolean(),
    from: prices,
    to: prices,
    value: fc.bigInt({ min: 10n ** 6n, max: 10n ** 10n }).map(usd),
    decimals: fc.constantFrom(0, 6, 18),
    base: rate,
    tier: fc.bigInt({ min: 10n ** 7n, max: 10n ** 9n }).map(usd),
    tierRate: rate,
    min: fc.bigInt({ min: 0n, max: 10n ** 8n }).map(usd),
  })
  .map((random): Stage =>
    aStage({
      id: 'stage-1',
      type: random.isDynamic ? 'dynamic' : 'fixed',
      tokenPrice: random.from,
      finalTokenPrice: random.isDynamic ? random.to : random.from,
      supply: tokenAmount(unitsForUsd(random.value, random.from, random.decimals, 'up')),
      tokenDecimals: random.decimals,
      minUsd: random.min,
      bonuses: someBonuses({
        base: random.base,
        spending: [{ from: random.tier, rate: random.tierRate }],
      }),
    }),
  )

const paymentToken = aPaymentToken({ minUsd: usd(1_000_000n) })
const cryptoPrice = price(10n ** 12n)
const lockedOf = ({ bonuses }: Stage): LockedBonuses => ({
  flat: { base_bonus: bonuses.base },
  spending: bonuses.spending,
})

function totalOf(stage: Stage, progress: StageProgress, spent: bigint): bigint {
  const locked = lockedOf(stage)
  return quote({ stage, progress, paymentToken, cryptoPrice, usd: usd(spent), locked }).total
}

const sell = ({ reserved, sold }: StageProgress, tokens: bigint): StageProgress => ({
  reserved,
  sold: tokenAmount(sold + tokens),
})
const LAST_PURCHASES_MAX = 4
const UNSOLD: StageProgress = { reserved: tokenAmount(0n), sold: tokenAmount(0n) }

/** Purchases of random parts of what is available, each within the limits of its moment. */
function afterPurchases(stage: Stage, parts: readonly bigint[]): StageProgress[] {
  const path = [UNSOLD]
  for (const part of parts) {
    const progress = path.at(-1) ?? UNSOLD
    const { min, available } = spendingLimits(stage, progress, paymentToken, lockedOf(stage))
    const chosen = (available * part) / 100n
    const spent = chosen < min ? min : chosen
    const total = totalOf(stage, progress, spent)
    if (spent > available || total > remaining(stage, progress)) continue
    path.push(sell(progress, total))
  }
  return path
}

const purchases = fc.array(fc.bigInt({ min: 1n, max: 99n }), { maxLength: 8 })

describe('a stage from its first token to its last', patiently, () => {
  test('has a price on the straight line, rounded towards the first, exact at both ends', () => {
    fc.assert(
      fc.property(stages, fc.bigInt({ min: 0n, max: 1000n }), (stage, thousandths) => {
        const { tokenPrice: from, finalTokenPrice: to, supply } = stage
        const sold = (supply * thousandths) / 1000n
        const way = new Fraction(sold, supply)
        const moved = way.times(new Fraction(from < to ? to - from : from - to)).wholeUnits(0)

        expect(stagePrice(stage, tokenAmount(sold))).toBe(from < to ? from + moved : from - moved)
        expect(stagePrice(stage, tokenAmount(0n))).toBe(from)
        expect(stagePrice(stage, supply)).toBe(to)
      }),
      randomRuns(1500),
    )
  })

  test('moves its price one way with every purchase, and is over once, at the last', () => {
    fc.assert(
      fc.property(stages, purchases, (stage, parts) => {
        const path = afterPurchases(stage, parts)
        const isRising = stage.finalTokenPrice >= stage.tokenPrice
        for (const [index, progress] of path.entries()) {
          const before = path[index - 1]
          if (before === undefined) continue
          const [was, is] = [before, progress].map(({ sold }) => stagePrice(stage, sold))
          expect(isRising ? (was ?? 0n) <= (is ?? 0n) : (was ?? 0n) >= (is ?? 0n)).toBe(true)
          expect(isSoldOut(stage, before) && !isSoldOut(stage, progress)).toBe(false)
        }
      }),
      randomRuns(800),
    )
  })

  test('sells whatever remains to somebody who takes all of it', () => {
    fc.assert(
      fc.property(stages, purchases, (stage, parts) => {
        let progress = afterPurchases(stage, parts).at(-1) ?? UNSOLD
        // One purchase takes everything except what a tier that does not fit leaves over, and what
        // is rounded off the bonuses of an indivisible token that costs more than dust.
        for (let last = 0; last < LAST_PURCHASES_MAX && !isSoldOut(stage, progress); last += 1) {
          const limits = spendingLimits(stage, progress, paymentToken, lockedOf(stage))
          const spent = limits.available < limits.min ? limits.min : limits.available
          const total = totalOf(stage, progress, spent)
          expect(total).toBeGreaterThan(0n)
          expect(total).toBeLessThanOrEqual(remaining(stage, progress))
          progress = sell(progress, total)
        }

        expect(isSoldOut(stage, progress)).toBe(true)
        const left = new Fraction(remaining(stage, progress), 10n ** BigInt(stage.tokenDecimals))
        const value = left.times(Fraction.scaled(stagePrice(stage, progress.sold), 12))
        expect(value.isAtLeast(new Fraction(1n, 100n))).toBe(false)
      }),
      randomRuns(800),
    )
  })

  test('hands over when sold out, and the last one’s closing price is the final one', () => {
    fc.assert(
      fc.property(stages, purchases, (stage, parts) => {
        const next = { ...stage, id: 'stage-2', startsAt: minute(1_000) }
        const sale = aSale({ stages: [stage, next] })
        const path = afterPurchases(stage, parts)
        for (const progress of path) {
          const isOver = isSoldOut(stage, progress)
          const active = saleStatus(sale, new Map([['stage-1', progress]]), null, minute(1))
          expect(active).toEqual({ status: 'ACTIVE', stage: isOver ? next : stage })

          const isLast = aSale({ stages: [stage] })
          const closing = finalPrice(isLast, new Map([['stage-1', progress]]))
          const open = stagePrice(stage, progress.sold)
          expect(closing).toBe(isOver ? stage.finalTokenPrice : open)
        }
      }),
      randomRuns(500),
    )
  })
})
