import { expect, test } from 'vitest'

import type { OwedRefund } from '#contract/refunds.ts'
import type { Transaction } from '#contract/shapes.ts'
import { aWireReceipt, aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { refundReason } from './refund-reason.ts'

type Why = OwedRefund['transactions'][number]['why']

const reasonOf = (change: Partial<Transaction>, why: Why, of?: string) => {
  const purchase = aWireTransaction({ receipts: [aWireReceipt('0.9')], ...change })
  const part = { transaction_id: of ?? purchase.id, amount: '0.1', why }
  return refundReason(purchase, { transactions: [part] })
}
const late = { status: 'expired', status_reason: 'late' } as const
const overpaid = { status: 'completed', status_reason: 'overpaid' } as const

test('tokens that were sold during a hold are no error of the buyer', () => {
  expect(reasonOf(late, 'failed')).toBe('noTokens')
  expect(reasonOf({ ...late, status: 'completed' }, 'failed')).toBe('noTokens')
  expect(reasonOf(overpaid, 'failed')).toBe('noTokens')
})

test('what came late or was too much says so', () => {
  expect(reasonOf(late, 'late')).toBe('late')
  expect(reasonOf(overpaid, 'overpaid')).toBe('more')
  expect(reasonOf(late, 'failed', 'another purchase')).toBe('late')
})

test('a purchase that failed says so, whatever is owed for it', () => {
  expect(reasonOf({ status: 'failed', status_reason: null }, 'failed')).toBe('failed')
  expect(reasonOf({ status: 'failed', status_reason: 'underpaid' }, 'underpaid')).toBe('short')
})
