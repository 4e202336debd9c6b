import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatDecimal,
  fromWireNumber,
  parseDecimal,
  plainDecimal,
  toWireNumber,
} from '#domain/money.ts'
import { readByHand, writeByHand } from '#tests/kit/builders/numbers-by-hand.ts'
import { onTheWire } from '#tests/kit/builders/on-the-wire.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const decimalsOf = fc.integer({ min: 0, max: 36 })
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 40n }),
  // From 0.00000001 to 10 trillion in common units, and just beside round numbers.
  fc
    .tuple(fc.integer({ min: 0, max: 31 }), fc.integer({ min: -1, max: 1 }))
    .map(([power, beside]) => 10n ** BigInt(power) + BigInt(beside)),
)
/** Nearly plain decimals: mostly digits and points, occasionally something else. */
const texts = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...'0123456789') },
      { weight: 2, arbitrary: fc.constant('.') },
      { weight: 1, arbitrary: fc.constantFrom('-', '+', 'e', 'E', ',', ' ', '_', 'x', '٣', '\n') },
    ),
    { maxLength: 24 },
  )
  .map((characters) => characters.join(''))

describe('amounts are read and written as by hand', patiently, () => {
  test('plain decimals, and anything else', () => {
    fc.assert(
      fc.property(texts, decimalsOf, (text, decimals) => {
        expect(parseDecimal(text, decimals)).toBe(readByHand(text, decimals))
      }),
      randomRuns(4000),
    )
  })

  test('base units', () => {
    fc.assert(
      fc.property(amounts, decimalsOf, (units, decimals) => {
        const text = formatDecimal(units, decimals)

        expect(text).toBe(writeByHand(units, decimals))
        expect(readByHand(text, decimals)).toBe(units)
        expect(parseDecimal(text, decimals)).toBe(units)
      }),
      randomRuns(4000),
    )
  })

  test('outgoing numbers', () => {
    fc.assert(
      fc.property(amounts, decimalsOf, (units, decimals) => {
        expect(toWireNumber(units, decimals)).toBe(onTheWire(writeByHand(units, decimals)))
      }),
      randomRuns(4000),
    )
  })

  test('incoming numbers, as their sender wrote them', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
    fc.assert(
      fc.property(digits, decimalsOf, decimalsOf, (units, written, decimals) => {
        const text = writeByHand(units, written)
        const received: unknown = JSON.parse(text)

        expect(fromWireNumber(Number(received), decimals)).toBe(readByHand(text, decimals))
      }),
      randomRuns(4000),
    )
  })

  test('any number, without an exponent', () => {
    const long = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 100 })
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-80 }), (value) => {
        expect(plainDecimal(value)).toBe(long.format(value))
      }),
      randomRuns(4000),
    )
  })
})
