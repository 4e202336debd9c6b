import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { agreedFee, claimTerms, type OwedPart } from './claim-terms.ts'

const part = (amount: bigint, why: OwedPart['why'] = 'overpaid') => ({
  receiptId: 'receipt-1',
  amount: cryptoAmount(amount),
  why,
})
const network = (fee: bigint | null, dust = 10n) => ({
  networkFee: fee === null ? null : cryptoAmount(fee),
  dust: cryptoAmount(dust),
})

test.each([
  ['the payer pays the network', [part(1000n)], network(50n), { fee: 50n, minimum: 100n }],
  ['and never more than a tenth', [part(1000n)], network(300n), { fee: 100n, minimum: 600n }],
  [
    'the sale pays where it erred',
    [part(1000n, 'failed')],
    network(50n),
    { fee: 0n, minimum: 10n },
  ],
  ['also of several', [part(1000n), part(1n, 'failed')], network(50n), { fee: 0n, minimum: 10n }],
  ['or where nobody knows', [part(1000n)], network(null), { fee: 0n, minimum: 10n }],
  ['what arrives is no dust', [part(1000n)], network(1n, 400n), { fee: 1n, minimum: 401n }],
  ['nothing is nothing', [], network(0n, 0n), { amount: 0n, fee: 0n, minimum: 1n }],
])('%s', (_, parts, costs, expected) => {
  expect(claimTerms(parts, costs)).toMatchObject(expected)
})

test.each<[OwedPart['why'], bigint]>([
  ['underpaid', 50n],
  ['overpaid', 50n],
  ['late', 50n],
  ['wrong_asset', 50n],
  ['failed', 0n],
  ['withdrawn', 0n],
  ['soft_cap', 0n],
])('whoever is owed it as %s bears a fee of %d', (why, fee) => {
  expect(claimTerms([part(1000n, why)], network(50n))).toMatchObject({ fee })
})

test.each([
  [100n, 100n, 100n],
  [100n, 60n, 60n],
  [100n, 125n, 100n],
  [100n, 126n, null],
  [0n, 0n, 0n],
  [0n, 1n, null],
])('of %d shown and %d now, %d is taken', (shown, now, fee) => {
  expect(agreedFee(cryptoAmount(shown), cryptoAmount(now))).toBe(fee)
})
