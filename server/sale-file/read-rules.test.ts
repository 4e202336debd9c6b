import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { changeLine } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

/** The faults of a sale with a stage in which one purchase is $900 at most. */
function faultsOf(rules: string): string[] {
  const stages = changeLine('    end_date: P30D', '    end_date: P30D\n    max_fiat_amount: 900')
  const context = { folder: tmpdir(), firstAppliedAt: new Date() }
  const reading = readSaleText(`${stages}purchases: ${rules}\n`, context)
  return reading.ok
    ? []
    : reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

test('what one account may reserve is no less than the largest purchase', () => {
  expect(faultsOf('{ open_worth_per_user: 900 }')).toEqual([])
  expect(faultsOf('{ open_worth_per_user: 899.99 }')).toEqual([
    '33 purchases.open_worth_per_user: expected at least $900, the largest purchase that a stage ' +
      'allows, found "899.99"',
  ])
})

test('what one connection may reserve is no less than what one account may', () => {
  expect(faultsOf('{ open_worth_per_connection: 900 }')).toEqual([])
  expect(faultsOf('{ open_worth_per_connection: 899 }')).toEqual([
    '33 purchases.open_worth_per_connection: expected at least $900, which one account may ' +
      'reserve, found "899"',
  ])
  const both = '{ open_worth_per_user: 2000, open_worth_per_connection: 1999 }'
  expect(faultsOf(both)).toEqual([expect.stringContaining('expected at least $2000')])
})
