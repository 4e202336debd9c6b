import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  formatDecimal,
  fromWireNumber,
  greatest,
  groupThousands,
  least,
  multiplyDivide,
  parseDecimal,
  percentage,
  percentOf,
  plainDecimal,
  price,
  proportion,
  subtract,
  tokenAmount,
  toWireNumber,
  unitsForUsd,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

describe('multiplyDivide', () => {
  test.each([
    { value: 7n, numerator: 3n, denominator: 2n, down: 10n, up: 11n },
    { value: 8n, numerator: 3n, denominator: 2n, down: 12n, up: 12n },
    { value: 0n, numerator: 3n, denominator: 2n, down: 0n, up: 0n },
    {
      value: 10n ** 31n,
      numerator: 1n,
      denominator: 3n,
      down: 3333333333333333333333333333333n,
      up: 3333333333333333333333333333334n,
    },
  ])('$value × $numerator ÷ $denominator', ({ value, numerator, denominator, down, up }) => {
    expect(multiplyDivide(value, numerator, denominator, 'down')).toBe(down)
    expect(multiplyDivide(value, numerator, denominator, 'up')).toBe(up)
  })
})

test('amounts add up, and the least and the greatest are found', () => {
  const amounts = [usd(3n), usd(1n), usd(2n)] as const

  expect(add(...amounts)).toBe(6n)
  expect(subtract(...([amounts[0], amounts[1]] as const))).toBe(2n)
  expect(least(...amounts)).toBe(1n)
  expect(greatest(...amounts)).toBe(3n)
  expect(proportion(usd(10n), 1n, 3n, 'up')).toBe(4n)
})

test('a percentage has four decimals and is rounded down', () => {
  expect(percentOf(tokenAmount(1_000_000n), percentage(50_000n))).toBe(50_000n)
  expect(percentOf(tokenAmount(1_000_000n), percentage(1n))).toBe(1n)
  expect(percentOf(tokenAmount(999_999n), percentage(1n))).toBe(0n)
})

describe('dollars and units', () => {
  test.each([
    // $1,000 at $0.0001 for a token of 18 decimals.
    { value: 1_000_000_000n, unitPrice: 100_000_000n, decimals: 18, units: 10n ** 25n },
    // $0.000001 at $0.12 for a coin of 8 decimals: 833.33 units.
    { value: 1n, unitPrice: 120_000_000_000n, decimals: 8, units: 833n },
    // $1 at $3 for something that cannot be divided.
    { value: 1_000_000n, unitPrice: 3_000_000_000_000n, decimals: 0, units: 0n },
  ])('$value at $unitPrice', ({ value, unitPrice, decimals, units }) => {
    expect(unitsForUsd(usd(value), price(unitPrice), decimals, 'down')).toBe(units)
  })

  test('what is rounded up is never worth less, and one unit fewer would be', patiently, () => {
    const random = fc.tuple(
      fc.bigInt({ min: 1n, max: 10n ** 18n }),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      fc.integer({ min: 0, max: 30 }),
    )
    fc.assert(
      fc.property(random, ([value, unitPrice, decimals]) => {
        const units = unitsForUsd(usd(value), price(unitPrice), decimals, 'up')
        const valueOf = (amount: bigint) =>
          usdForUnits(tokenAmount(amount), price(unitPrice), decimals, 'down')

        expect(valueOf(units)).toBeGreaterThanOrEqual(value)
        expect(usdForUnits(units - 1n, price(unitPrice), decimals, 'up')).toBeLessThanOrEqual(value)
        expect(units - unitsForUsd(usd(value), price(unitPrice), decimals, 'down')).toBeLessThan(2n)
      }),
      randomRuns(2000),
    )
  })
})

describe('parseDecimal', () => {
  test.each([
    ['0', 0n],
    ['12', 12_000_000n],
    ['0.5', 500_000n],
    ['007.000001', 7_000_001n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ])('reads %s', (text, units) => expect(parseDecimal(text, 6)).toBe(units))

  test.each([
    '',
    ' ',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e3',
    '1E3',
    '0x10',
    '1,5',
    '1_000',
    '1 000',
    '٣',
    '1.2.3',
    'NaN',
    'Infinity',
    '0.0000001',
    ' 1',
    '1\n',
    '½',
    '9'.repeat(401),
  ])('refuses %j', (text) => expect(parseDecimal(text, 6)).toBeNull())
})

test('what is formatted is read back, and is the shortest form', patiently, () => {
  const random = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }))
  fc.assert(
    fc.property(random, ([units, decimals]) => {
      const text = formatDecimal(units, decimals)

      expect(parseDecimal(text, decimals)).toBe(units)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
    randomRuns(2000),
  )
})

test('a negative amount keeps its sign', () => {
  expect(formatDecimal(-1_500_000n, 6)).toBe('-1.5')
})

test.each([
  ['1234567.5', '1,234,567.5'],
  ['1000', '1,000'],
  ['999.0001', '999.0001'],
])('%s is grouped as %s', (decimal, grouped) => expect(groupThousands(decimal)).toBe(grouped))

describe('the wire', () => {
  test.each([
    { units: 10n ** 31n, decimals: 18, wire: 1e13 },
    { units: 1n, decimals: 18, wire: 1e-18 },
    { units: 123_456_789_012_345_678n, decimals: 6, wire: 123_456_789_012.345 },
    { units: 999_999_999_999_999_999n, decimals: 0, wire: 999_999_999_999_999_000 },
  ])('$units with $decimals decimals is $wire', ({ units, decimals, wire }) => {
    expect(toWireNumber(units, decimals)).toBe(wire)
  })

  test('a number of at most 15 digits comes back as it was sent', patiently, () => {
    const random = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
      fc.integer({ min: 0, max: 18 }),
    )
    fc.assert(
      fc.property(random, ([units, decimals]) => {
        const parsed: unknown = JSON.parse(JSON.stringify(toWireNumber(units, decimals)))

        expect(fromWireNumber(Number(parsed), decimals)).toBe(units)
      }),
      randomRuns(2000),
    )
  })

  test('a number is never more than the amount, and is cut after 15 digits', patiently, () => {
    const random = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 34n }),
      fc.integer({ min: 0, max: 18 }),
    )
    fc.assert(
      fc.property(random, ([units, decimals]) => {
        const wire = fromWireNumber(toWireNumber(units, decimals), decimals)
        const digits = String(wire).replace(/0+$/, '')

        expect(wire).toBeLessThanOrEqual(units)
        expect(units - (wire ?? 0n)).toBeLessThanOrEqual(units / 10n ** 14n)
        expect(digits.length).toBeLessThanOrEqual(15)
      }),
      randomRuns(2000),
    )
  })

  test.each([
    [1e-7, '0.0000001'],
    [1.5e-8, '0.000000015'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [-2e-7, '-0.0000002'],
    [12.5, '12.5'],
    [Number.NaN, 'NaN'],
  ])('%d is %s', (number, text) => expect(plainDecimal(number)).toBe(text))

  test.each([1e308, Number.NaN, Infinity, -1, 1e-7, 0.1 + 0.2])('%d is no amount', (number) => {
    const units = fromWireNumber(number, 6)

    expect(units === null || units > 10n ** 18n).toBe(true)
  })
})
