import { describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import * as german from '#web/messages/de.ts'
import { transaction as english } from '#web/messages/en/transaction.ts'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'
import {
  isPayable,
  paymentSituation,
  paymentSteps,
  receivedAmount,
  unusedAmount,
  walletLink,
} from './payment-state.ts'
import { paymentWords } from './transactions/payment-figures.ts'
import { tokensValue } from './transactions/transaction-text.ts'

const paid = { receipts: [aWireReceipt('0.4')], payment_amount: '0' }
const confirmed = { ...paid, receipts: [aWireReceipt('0.4', 2)], confirmations: 2 }
const withdrawn: Partial<Transaction> = { status: 'failed', status_reason: 'withdrawn' }
const belowSoftCap: Partial<Transaction> = { status: 'failed', status_reason: 'soft_cap' }

describe('each fate of a payment has its sentence and its steps', () => {
  it.each<[string, Partial<Transaction>, string, string]>([
    ['unpaid', {}, 'waiting', 'current waiting waiting'],
    [
      'paid in part',
      {
        status_reason: 'underpaid',
        receipts: [aWireReceipt('0.1')],
        payment_amount: '0.3',
      },
      'rest',
      'current waiting waiting',
    ],
    [
      'paid but for less than its gateway takes',
      { status_reason: 'underpaid', receipts: [aWireReceipt('0.1')], payment_amount: '0' },
      'restTooSmall',
      'current waiting waiting',
    ],
    ['dropped by the network', { status_reason: 'reorged' }, 'dropped', 'current waiting waiting'],
    ['wrong coin', { status_reason: 'wrong_asset' }, 'wrongAsset', 'current waiting waiting'],
    ['seen', { status: 'processing', ...paid }, 'confirming', 'done current waiting'],
    [
      'confirmed, not booked yet',
      { status: 'processing', confirmations: 2, ...paid },
      'confirming',
      'done done current',
    ],
    [
      'held',
      { status: 'processing', status_reason: 'held', ...paid },
      'held',
      'done current waiting',
    ],
    [
      'paid in part when the time was up',
      { status: 'processing', status_reason: 'underpaid', ...paid },
      'confirmingPart',
      'done current waiting',
    ],
    [
      'seen after the time',
      { status: 'processing', status_reason: 'late', ...paid },
      'confirmingLate',
      'done current waiting',
    ],
    [
      'confirmed once more',
      { status: 'processing', status_reason: 'reorged', ...paid },
      'confirmingAgain',
      'done current waiting',
    ],
    ['credited', { status: 'completed', ...paid }, 'credited', 'done done done'],
    [
      'credited in part',
      { status: 'completed', status_reason: 'underpaid', ...paid },
      'creditedPart',
      'done done done',
    ],
    [
      'overpaid',
      { status: 'completed', status_reason: 'overpaid', ...paid },
      'creditedMore',
      'done done done',
    ],
    [
      'late',
      { status: 'completed', status_reason: 'late', ...paid },
      'creditedLate',
      'done done done',
    ],
    ['expired', { status: 'expired' }, 'expired', 'failed waiting waiting'],
    [
      'late and not credited',
      { status: 'expired', status_reason: 'late', ...confirmed },
      'expiredPaid',
      'done done failed',
    ],
    [
      'late, not credited and not confirmed yet',
      { status: 'expired', status_reason: 'late', ...paid },
      'expiredPaid',
      'done current failed',
    ],
    [
      'dropped by the network when the time was up',
      { status: 'expired', status_reason: 'reorged' },
      'expiredDropped',
      'failed waiting waiting',
    ],
    [
      'wrong coin when the time was up',
      { status: 'expired', status_reason: 'wrong_asset', ...confirmed },
      'expiredWrongAsset',
      'done done failed',
    ],
    ['failed', { status: 'failed' }, 'failed', 'failed waiting waiting'],
    [
      'too little',
      { status: 'failed', status_reason: 'underpaid', ...confirmed },
      'failedShort',
      'done done failed',
    ],
    ['failed after payment', { status: 'failed', ...confirmed }, 'failedPaid', 'done done failed'],
    [
      'owed back',
      { status: 'failed', ...confirmed, refunds: [aWireRefund(), aWireRefund({ status: 'paid' })] },
      'failedPaid',
      'done done failed',
    ],
    [
      'sent back',
      {
        status: 'expired',
        status_reason: 'late',
        ...confirmed,
        refunds: [aWireRefund({ status: 'paid' })],
      },
      'refunded',
      'done done failed',
    ],
    [
      'withdrawn from',
      { ...withdrawn, ...confirmed, refunds: [aWireRefund()] },
      'withdrawn',
      'done done failed',
    ],
    [
      'withdrawn from and sent back',
      { ...withdrawn, ...confirmed, refunds: [aWireRefund({ status: 'paid' })] },
      'withdrawn',
      'done done failed',
    ],
    ['withdrawn from unpaid', withdrawn, 'withdrawnUnpaid', 'failed waiting waiting'],
    [
      'withdrawn from with the wrong coin',
      { ...withdrawn, refunds: [aWireRefund()] },
      'withdrawn',
      'failed waiting waiting',
    ],
    [
      'of a sale below its soft cap, and sent back',
      { ...belowSoftCap, ...confirmed, refunds: [aWireRefund({ status: 'paid' })] },
      'softCapMissed',
      'done done failed',
    ],
  ])('%s', (_, change, situation, steps) => {
    const transaction = aWireTransaction(change)
    expect(paymentSituation(transaction)).toBe(situation)
    const { seen, confirming, credited } = paymentSteps(transaction)
    expect(`${seen} ${confirming} ${credited}`).toBe(steps)
  })
})

describe.each([
  [
    'English',
    english,
    {
      onceConfirmed: 'will be owed back to you once the network has confirmed it',
      isDue: 'is owed back to you',
      isSent: 'was sent back to you',
      isConfirming: 'is still confirming 0.2 ETH',
    },
  ],
  [
    'German',
    german.transaction,
    {
      onceConfirmed:
        'wird zur Erstattung vorgemerkt, sobald das Netzwerk den Eingang bestätigt hat',
      isDue: 'ist zur Erstattung vorgemerkt',
      isSent: 'wurde an Sie zurückgesendet',
      isConfirming: 'bestätigt das Netzwerk noch 0.2 ETH',
    },
  ],
] as const)('of what no tokens were given for, %s', (_, { situations }, words) => {
  const sentenceOf = (change: Partial<Transaction>) => {
    const purchase = aWireTransaction(change)
    return situations[paymentSituation(purchase)](paymentWords(purchase, 'HUH'))
  }

  it.each<Partial<Transaction>>([
    withdrawn,
    belowSoftCap,
    { status: 'expired', status_reason: 'late' },
    { status: 'failed' },
    { status: 'failed', status_reason: 'underpaid' },
    { status: 'pending', status_reason: 'wrong_asset' },
    { status: 'expired', status_reason: 'wrong_asset' },
  ])('says of $status, $status_reason how far the refund is', (fate) => {
    const { onceConfirmed, isDue, isSent } = words
    expect(sentenceOf({ ...fate, ...paid })).toContain(onceConfirmed)
    expect(sentenceOf({ ...fate, ...confirmed, refunds: [aWireRefund()] })).toContain(isDue)
    const sent = sentenceOf({ ...fate, ...confirmed, refunds: [aWireRefund({ status: 'paid' })] })
    expect(sent).toContain(isSent)
    expect(sent).not.toContain(isDue)
    const more = [...confirmed.receipts, aWireReceipt('0.2')]
    const sentOnce = {
      ...fate,
      ...confirmed,
      receipts: more,
      refunds: [aWireRefund({ status: 'paid' })],
    }
    expect(sentenceOf(sentOnce)).toContain(onceConfirmed)
  })

  it('says of more money for a completed purchase that it is not confirmed yet', () => {
    const sentence = sentenceOf({
      status: 'completed',
      status_reason: 'overpaid',
      actual_purchase_amount_crypto: 0.6,
      receipts: [aWireReceipt('0.6'), aWireReceipt('0.2')],
    })
    expect(sentence).toContain(words.isConfirming)
    expect(sentence).not.toContain(words.isDue)
  })
})

it('asks for a payment only while one is due', () => {
  expect(isPayable(aWireTransaction())).toBe(true)
  expect(isPayable(aWireTransaction({ payment_amount: '0.00000000' }))).toBe(false)
  expect(isPayable(aWireTransaction({ status: 'processing' }))).toBe(false)
  expect(isPayable(aWireTransaction({ payment_address: null }))).toBe(false)
})

it('adds up what arrived to the last unit', () => {
  const receipts = ['0.1', '0.2', '0.000000000000000001'].map((amount) => aWireReceipt(amount))
  expect(receivedAmount(aWireTransaction({ receipts }))).toBe('0.300000000000000001')
})

it.each([
  ['0.6', 0.6, null],
  ['0.123456789012345678', 0.123456789012345, null],
  ['0.9', 0.6, '0.3'],
  ['0.6', null, null],
])('of %s received and %s credited, %s was not used', (received, credited, unused) => {
  const transaction = aWireTransaction({
    actual_purchase_amount_crypto: credited,
    receipts: [aWireReceipt(received)],
  })
  expect(unusedAmount(transaction)).toBe(unused)
})

it('tells exactly what is still due', () => {
  const transaction = aWireTransaction({ payment_amount: '1234.000000000000000001' })
  expect(paymentWords(transaction, 'HUH')).toMatchObject({
    due: '1,234.000000000000000001 ETH',
    tokens: '11,000,000 HUH',
  })
})

it('values tokens at the price of their own purchase', () => {
  expect(tokensValue(aWireTransaction())).toBe('1100')
})

it.each([
  ['bitcoin:bc1q?amount=0.1', true],
  ['ethereum:0xabc@1/transfer?address=0xdef&uint256=1', true],
  ['javascript:alert(1)', false],
  ['https://example.com', false],
  [null, false],
])('opens a wallet only with a payment link: %s', (uri, isLink) => {
  expect(walletLink(aWireTransaction({ payment_uri: uri }))).toBe(isLink ? uri : null)
})
