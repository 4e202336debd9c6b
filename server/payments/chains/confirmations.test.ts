import { describe, expect, test } from 'vitest'
import { parseDecimal, usd, USD_DECIMALS } from '#domain/money.ts'
import { confirmationsFor, parseConfirmations } from './confirmations.ts'
import { defaultConfirmations } from '#server/payments/evm/networks.ts'
import { coins } from '#server/payments/utxo/coins.ts'
import { Fault } from '#server/payments/variables.ts'

const dollars = (text: string) => usd(parseDecimal(text, USD_DECIMALS) ?? 0n)

describe('the confirmations that a payment needs', () => {
  test('rise with its value', () => {
    const rule = parseConfirmations('12 10000:32, 100000.50:64')
    if (rule instanceof Fault) throw new Error(rule.expected)
    const counts = ['0', '9999.999999', '10000', '100000.49', '100000.5', '999999999999'].map(
      (value) => confirmationsFor(rule, dollars(value)),
    )
    expect(counts).toEqual([12, 12, 32, 32, 64, 64])
    expect(confirmationsFor(rule, null)).toBe(64)
  })

  test.each([1, 56, 137, 424_242])('have a cautious default on chain %i', (chainId) => {
    const rule = defaultConfirmations(chainId)
    const counts = ['10', '10000', '100000'].map((value) => confirmationsFor(rule, dollars(value)))
    expect(counts[0]).toBeGreaterThanOrEqual(12)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  })

  test.each(coins)('have a cautious default of $symbol', ({ confirmations }) => {
    const counts = ['10', '10000', '100000'].map((value) =>
      confirmationsFor(confirmations, dollars(value)),
    )
    expect(counts[0]).toBeGreaterThanOrEqual(2)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    expect(new Set(counts).size).toBe(3)
  })

  test.each([
    '0',
    '-1',
    '12 32',
    '10000:32',
    '12 10:5',
    '12 100:20 10:30',
    'twelve',
    '12 x:3',
    '1e3',
  ])('are not read from %s', (text) => {
    expect(parseConfirmations(text)).toBeInstanceOf(Fault)
  })
})
