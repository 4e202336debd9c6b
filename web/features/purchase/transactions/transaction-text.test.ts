import { describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'
import { transaction as englishTransaction } from '#web/messages/en/transaction.ts'
import { paidPrice } from '#web/features/purchase/payment-state.ts'
import { bonusValue, moneyState, statusWord, tokensValue } from './transaction-text.ts'

const aPaid = (change: Partial<Transaction>) =>
  aWireTransaction({ status: 'completed', token_price: 0.5, ...change })

function shownPrice(transaction: Transaction) {
  const { price, isAverage } = paidPrice(transaction)
  return [formatDecimal(price, PRICE_DECIMALS), isAverage]
}

describe('the price that the tokens of a purchase were credited at', () => {
  it('is the one that was held', () => {
    const tokens = { base: 246.913578, bonuses: {}, total: 246.913578 }
    const paid = { actual_purchase_amount_fiat: 123.456789, tokens }
    expect(shownPrice(aPaid(paid))).toEqual(['0.5', false])
    expect(shownPrice(aPaid({ ...paid, status_reason: 'late' }))).toEqual(['0.5', false])
    expect(shownPrice(aWireTransaction())).toEqual(['0.0001', false])
  })

  it('is the average where a payment came late or was too much', () => {
    const tokens = { base: 77.393402, bonuses: { base_bonus: 7.73934 }, total: 85.132742 }
    const late = aPaid({ status_reason: 'late', actual_purchase_amount_fiat: 49.90849, tokens })
    expect(shownPrice(late)).toEqual(['0.644868', true])
    // 49.90849 dollars and the bonus of a tenth.
    expect(tokensValue(late)).toBe('54.9')
  })

  it('can be told where nothing was credited', () => {
    const tokens = { base: 0, bonuses: {}, total: 0 }
    const nothing = { status_reason: 'late', actual_purchase_amount_fiat: 0, tokens } as const
    expect(shownPrice(aPaid(nothing))).toEqual(['0.5', false])
  })
})

it('tells what few tokens are worth, below half a cent as well', () => {
  const tokens = { base: 2, bonuses: {}, total: 2 }
  expect(tokensValue(aPaid({ token_price: 0.25, tokens }))).toBe('0.5')
  expect(tokensValue(aPaid({ token_price: 0.0001, tokens }))).toBe('0.0002')
  expect(tokensValue(aPaid({ tokens: { base: 0, bonuses: {}, total: 0 } }))).toBe('0')
})

describe('where the money of a transaction stands', () => {
  const due = aWireRefund()
  const paid = aWireRefund({ status: 'paid' })

  it.each<[Partial<Transaction>, ReturnType<typeof moneyState>]>([
    [{}, 'waiting'],
    [{ receipts: [aWireReceipt('0.1')] }, 'arriving'],
    [{ status: 'processing' }, 'confirming'],
    [{ status: 'processing', status_reason: 'held' }, 'held'],
    [{ status: 'completed' }, null],
    [{ status: 'completed', refunds: [due] }, 'refundDue'],
    [{ status: 'failed', refunds: [paid, due] }, 'refundDue'],
    [{ status: 'failed', refunds: [paid] }, 'refunded'],
    [{ status: 'expired' }, null],
  ])('is told beyond its status: %o', (change, state) => {
    expect(moneyState(aWireTransaction(change))).toBe(state)
  })
})

it('tells what the bonus is worth, and nothing where there is none', () => {
  expect(bonusValue(aWireTransaction())).toBe('100')
  const tokens = { base: 2, bonuses: {}, total: 2 }
  expect(bonusValue(aWireTransaction({ tokens }))).toBeNull()
})

it('says of a purchase that its buyer withdrew from that it was withdrawn, and of others their status', () => {
  const words = (change: Partial<Transaction>) =>
    statusWord(englishTransaction, aWireTransaction(change))
  expect(words({ status: 'failed', status_reason: 'withdrawn' })).toBe('Withdrawn')
  expect(words({ status: 'failed', status_reason: 'soft_cap' })).toBe('Failed')
  expect(words({ status: 'completed', status_reason: null })).toBe('Completed')
})
