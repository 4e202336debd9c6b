import { expect, test } from 'vitest'

import type { Transaction } from '#contract/shapes.ts'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'
import { refundReason } from './refund-reason.ts'

type Refund = Transaction['refunds'][number]

const reasonOf = (change: Partial<Transaction>, why: Refund['why'], refund?: Partial<Refund>) =>
  refundReason(
    aWireTransaction({
      receipts: [aWireReceipt('0.9')],
      refunds: [aWireRefund({ why, ...refund })],
      ...change,
    }),
  )
const late = { status: 'expired', status_reason: 'late' } as const
const overpaid = { status: 'completed', status_reason: 'overpaid' } as const

test('tokens that were sold during a hold are no error of the buyer', () => {
  expect(reasonOf(late, 'failed')).toBe('noTokens')
  expect(reasonOf({ ...late, status: 'completed' }, 'failed')).toBe('noTokens')
  expect(reasonOf(overpaid, 'failed')).toBe('noTokens')
})

test('it is the same once it is claimed and paid', () => {
  const claim = { id: 'a-claim', state: 'confirmed' } as const
  expect(reasonOf(overpaid, 'failed', { claim, status: 'paid' })).toBe('noTokens')
})

test('what came late or was too much says so', () => {
  expect(reasonOf(late, 'late')).toBe('late')
  expect(reasonOf(overpaid, 'overpaid')).toBe('more')
  expect(reasonOf(late, 'failed', { chain: 'BSC' }), 'another coin').toBe('late')
})

test('a purchase that failed says so, whatever is owed for it', () => {
  expect(reasonOf({ status: 'failed', status_reason: null }, 'failed')).toBe('failed')
  expect(reasonOf({ status: 'failed', status_reason: 'underpaid' }, 'underpaid')).toBe('short')
})
