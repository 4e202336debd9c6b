import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const FIRST_APPLIED_AT = new Date('2026-01-01T00:00:00Z')

const read = (text: string) =>
  readSaleText(text, { folder: tmpdir(), firstAppliedAt: FIRST_APPLIED_AT })

/** The tranches as `months:percentage` in 10⁻⁴ %. */
function vestingOf(given: string) {
  const reading = read(`${SMALL_SALE_FILE}vesting: ${given}\n`)
  if (!reading.ok) return reading.faults
  const { vesting } = reading.sale
  if (vesting === null) return null
  const tranches = vesting.tranches.map(({ months, percentage }) => `${months}:${percentage}`)
  return [vesting.startsAt?.toISOString() ?? null, vesting.shape, tranches.join(' ')]
}

describe('vesting', () => {
  it.each([
    [
      '{ first_percentage: 1, months: 5 }',
      [null, 'linear', '0:10000 1:198000 2:198000 3:198000 4:198000 5:198000'],
    ],
    ['{ first_percentage: 100, months: 0 }', [null, 'instant', '0:1000000']],
    ['{ first_percentage: 0, months: 1 }', [null, 'linear', '1:1000000']],
    [
      '{ starts: P10D, first_percentage: 2.5, months: 2 }',
      ['2026-01-11T00:00:00.000Z', 'linear', '0:25000 1:487500 2:487500'],
    ],
    [
      '{ starts: 2027-02-01T00:00:00Z, tranches: [{ months: 0, percentage: 0.0001 }, { months: 6, percentage: 99.9999 }] }',
      ['2027-02-01T00:00:00.000Z', 'tranches', '0:1 6:999999'],
    ],
    ['{ tranches: [{ months: 0, percentage: 100 }] }', [null, 'instant', '0:1000000']],
    [
      '{ first_percentage: 0, cliff_months: 6, cliff_percentage: 50, months: 8 }',
      [null, 'cliff', '6:500000 7:250000 8:250000'],
    ],
    [
      '{ first_percentage: 10, cliff_months: 3, cliff_percentage: 90, months: 3 }',
      [null, 'cliff', '0:100000 3:900000'],
    ],
    [
      '{ first_percentage: 10, cliff_months: 3, cliff_percentage: 0, months: 4 }',
      [null, 'cliff', '0:100000 4:900000'],
    ],
  ])('may be %s', (given, expected) => {
    expect(vestingOf(given)).toEqual(expected)
  })

  it('may differ by stage', () => {
    const own = '    vesting: { first_percentage: 100, months: 0 }\n'
    const reading = read(
      `${SMALL_SALE_FILE.trimEnd()}\n${own}vesting: { first_percentage: 1, months: 5 }\n`,
    )
    expect(reading.ok ? reading.sale.stages.at(-1)?.vesting : reading.faults).toEqual({
      shape: 'instant',
      tranches: [{ months: 0, percentage: 1_000_000n }],
    })
  })
})
