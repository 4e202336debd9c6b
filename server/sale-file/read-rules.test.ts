import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { changeLine } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

/** The faults of a sale with a stage in which a purchase is at most $900. */
function faultsOf(rules: string, part = 'purchases'): string[] {
  const stages = changeLine('    end_date: P30D', '    end_date: P30D\n    max_fiat_amount: 900')
  const context = { folder: tmpdir(), firstAppliedAt: new Date() }
  const reading = readSaleText(`${stages}${part}: ${rules}\n`, context)
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

test('a payment token can be bought with: its minimum is no more than the largest purchase', () => {
  const faults = (...[minimum, firstMax, secondMax]: [number, number, number?]) => {
    const text = changeLine('    end_date: P30D', `    max_fiat_amount: ${firstMax}`)
      .replace('min_amount_fiat: 10', `min_amount_fiat: ${minimum}`)
      .concat(secondMax === undefined ? '' : `    max_fiat_amount: ${secondMax}\n`)
    const reading = readSaleText(text, { folder: tmpdir(), firstAppliedAt: new Date() })
    return reading.ok ? [] : reading.faults.map(({ path, message }) => `${path}: ${message}`)
  }
  expect(faults(900, 20, 900)).toEqual([])
  expect(faults(901, 900)).toEqual([])
  expect(faults(901, 900, 20)).toEqual([
    'payment_tokens[0].min_amount_fiat: expected at most $900, the largest purchase that a stage ' +
      'allows, found "901"',
  ])
})

test('what waits for a second person has amounts, and words for what has none', () => {
  const rules = '{ refund_over_usd: 0, release_over_usd: 2500.5, resume: never }'
  expect(faultsOf(rules, 'approvals')).toEqual([])
  expect(faultsOf('{ refund_over_usd: -1 }', 'approvals')).toEqual([
    expect.stringMatching(/^33 approvals.refund_over_usd: expected an amount in dollars/),
  ])
  expect(faultsOf('{ resume: true }', 'approvals')).toEqual([
    '33 approvals.resume: expected one of always, never, found "true"',
  ])
  expect(faultsOf('{ refunds: 5 }', 'approvals')).toHaveLength(1)
})

test('the right to withdraw lasts whole days, and a soft cap is more than nothing', () => {
  expect(faultsOf('{ days: 14 }', 'withdrawal')).toEqual([])
  expect(faultsOf('{}', 'withdrawal')).toEqual([expect.stringMatching(/^33 withdrawal.*days/)])
  expect(faultsOf('{ days: 0 }', 'withdrawal')).toEqual([
    '33 withdrawal.days: expected a whole number from 1 to 90, found "0"',
  ])
  expect(faultsOf('14', 'withdrawal')).toEqual([
    '33 withdrawal: expected a map with days, found "14"',
  ])
  expect(faultsOf('250000', 'soft_cap_usd')).toEqual([])
  expect(faultsOf('0', 'soft_cap_usd')).toEqual([
    expect.stringMatching(/^33 soft_cap_usd: expected an amount in dollars/),
  ])
})
