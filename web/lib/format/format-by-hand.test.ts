import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compactByHand,
  grouped,
  numberByHand,
  tokensByHand,
  usdByHand,
  writeByHand,
} from '#tests/kit/builders/numbers-by-hand.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'
import {
  formatPrice,
  formatCompact,
  formatExact,
  formatNumber,
  formatUsd,
  formatUsdCompact,
  formatUsdExact,
} from './format.ts'
import { formatTokens } from './token-amounts.ts'

/** From 0.00000001 to 10 trillion, with at most the 15 digits that a number of the wire has. */
const wireAmounts = fc
  .oneof(
    fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 18 })),
    // Just below, at and above the edges: a thousand of each unit, the fifth decimal, halves.
    fc
      .tuple(
        fc.constantFrom(1n, 999_999_995n, 1_000_000_005n, 5n, 15n, 10_000n, 999_999_999_999_995n),
        fc.integer({ min: -1, max: 1 }).map(BigInt),
        fc.integer({ min: 0, max: 18 }),
      )
      .map(([edge, beside, decimals]) => [edge + beside, decimals] as const),
  )
  .map(([digits, decimals]) => writeByHand(digits, decimals))
  .filter((text) => Number(text) >= 1e-8 && Number(text) <= 1e13)

/** The exact decimals of amounts in base units: up to 10 trillion with 18 decimals. */
const exactAmounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 31n }), fc.constantFrom(0, 6, 8, 18))
  .map(([units, decimals]) => writeByHand(units, decimals))

const PLAIN = /^\$?\d{1,3}(,\d{3})*(\.\d+)?[KMBT]?$/

describe('an amount reads as it is written by hand', patiently, () => {
  test('as a number of the wire', () => {
    fc.assert(
      fc.property(wireAmounts, (text) => {
        const value = Number(text)

        expect(formatNumber(value)).toBe(numberByHand(text))
        expect(formatCompact(value)).toBe(compactByHand(text))
        expect(formatExact(value)).toBe(grouped(text))
        expect(formatUsd(value)).toBe(usdByHand(text))
        expect(formatTokens(value)).toBe(tokensByHand(text))
      }),
      randomRuns(3000),
    )
  })

  test('as an exact decimal', () => {
    fc.assert(
      fc.property(exactAmounts, (text) => {
        expect(formatNumber(text)).toBe(numberByHand(text))
        expect(formatCompact(text)).toBe(compactByHand(text))
        expect(formatExact(text)).toBe(grouped(text))
      }),
      randomRuns(3000),
    )
  })

  test('never in scientific notation, and what is not zero never as zero', () => {
    fc.assert(
      fc.property(wireAmounts, (text) => {
        const value = Number(text)
        const all = [
          formatNumber(value),
          formatCompact(value),
          formatExact(value),
          formatUsd(value),
          formatUsdExact(text),
          formatUsdCompact(value),
          formatPrice(value),
          formatTokens(value),
        ]

        for (const shown of all) {
          expect(shown).toMatch(PLAIN)
          expect(shown).toMatch(/[1-9]/)
        }
      }),
      randomRuns(1000),
    )
  })
})
