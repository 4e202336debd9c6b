import { describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'
import {
  arrivalOf,
  dueUsd,
  isOwnCoin,
  paidExactly,
  paymentWords,
  refundsByCoin,
} from './payment-figures.ts'

const ALL = '0.39780927'
const WIRE = 0.39780927

const aPurchase = (change: Partial<Transaction> = {}) =>
  aWireTransaction({ payment_amount: ALL, initial_purchase_amount_crypto: WIRE, ...change })

describe('what is due in dollars', () => {
  it.each([
    [ALL, '1000'],
    ['0.198904635', '500'],
    ['0.29835695', '750'],
    ['0.1', '251.38'],
    ['0', null],
    [null, null],
  ])('for %s coins is %s', (due, usd) => {
    expect(dueUsd(aPurchase({ payment_amount: due }))).toBe(usd)
  })

  it('keeps what is less than a cent where nothing has been paid', () => {
    expect(dueUsd(aPurchase({ initial_purchase_amount_fiat: 10.123456 }))).toBe('10.123456')
  })
})

describe('how much has arrived', () => {
  const arrived = (amount: string, due: string | null) =>
    arrivalOf(aPurchase({ receipts: [aWireReceipt(amount)], payment_amount: due }))

  it('is exact, in the coin', () => {
    expect(arrived('0.09780927', '0.3')).toEqual({
      received: '0.09780927',
      whole: ALL,
      percent: 24.5,
      share: '24.5%',
    })
  })

  it('is never none where something has', () => {
    expect(arrived('0.00000001', '0.39780926')).toMatchObject({ percent: 0, share: '<0.1%' })
  })

  it('is never more than all of it', () => {
    const receipts = [aWireReceipt('0.5')]
    const more = aPurchase({ status: 'processing', receipts, payment_amount: '0' })
    expect(arrivalOf(more)).toMatchObject({ received: '0.5', whole: ALL, percent: 100 })
  })

  it('is not asked before anything has, and not once it is over', () => {
    expect(arrivalOf(aPurchase())).toBeNull()
    const receipts = [aWireReceipt(ALL)]
    expect(arrivalOf(aPurchase({ status: 'completed', receipts }))).toBeNull()
  })
})

describe('what was paid', () => {
  it('is what was sent, to the last digit', () => {
    const receipts = [aWireReceipt('0.397809270000000001')]
    const change = { status: 'completed', receipts, actual_purchase_amount_crypto: WIRE } as const
    expect(paidExactly(aPurchase(change))).toBe('0.397809270000000001')
    expect(paidExactly(aPurchase())).toBe(ALL)
  })

  it('leaves out what could not be used', () => {
    const receipts = [aWireReceipt('0.5')]
    const change = { status: 'completed', receipts, actual_purchase_amount_crypto: WIRE } as const
    expect(paidExactly(aPurchase(change))).toBe(ALL)
  })
})

const HASH = `0x${'a'.repeat(64)}`
const aRefund = (change: Partial<Transaction['refunds'][number]> = {}) =>
  aWireRefund({ amount: '0.2', ...change })

it('adds up refunds by coin, what is due apart from what was sent', () => {
  const sent = aRefund({ amount: '0.05', status: 'paid', transaction_hash: HASH })
  const other = aRefund({ symbol: null, chain: null, amount: '7' })
  const eth = { symbol: 'ETH', chain: 'ERC20' }
  const refunds = [aRefund(), aRefund({ amount: '0.000000000000000001' }), sent, other]
  expect(refundsByCoin(aPurchase({ refunds }))).toEqual([
    { ...eth, amount: '0.250000000000000001', due: '0.200000000000000001', sent: [sent] },
    { symbol: null, chain: null, amount: '7', due: '7', sent: [] },
  ])
})

it('keeps the same symbol on another chain apart, as it is another coin', () => {
  const bsc = aRefund({ chain: 'BSC', amount: '7' })
  expect(refundsByCoin(aPurchase({ refunds: [aRefund(), bsc] }))).toMatchObject([
    { chain: 'ERC20', amount: '0.2' },
    { chain: 'BSC', amount: '7' },
  ])
  expect(isOwnCoin(aPurchase(), aRefund())).toBe(true)
  expect(isOwnCoin(aPurchase(), bsc)).toBe(false)
})

it('names what was not used as the refund of it does, to the last digit', () => {
  const surplus = aPurchase({
    status: 'completed',
    status_reason: 'overpaid',
    actual_purchase_amount_crypto: 39.6921477070242,
    receipts: [aWireReceipt('58.94283934')],
    refunds: [aRefund({ amount: '19.250691632975799697' })],
  })
  expect(paymentWords(surplus, 'HUH').unused).toBe('19.250691632975799697 ETH')
})
