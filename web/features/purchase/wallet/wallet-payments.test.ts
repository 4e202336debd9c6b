import { expect, it } from 'vitest'
import { aWireReceipt } from '#tests/kit/builders/a-wire-transaction.ts'
import { clearAttempt, isAwaited, noteAttempt, walletAttempt } from './wallet-payments.ts'

const hash = `0x${'aB'.repeat(32)}`
const sent = { stage: 'sent', hash, receiptsBefore: 1 } as const
const linked = (transaction: string) => ({
  ...aWireReceipt('1'),
  explorer_url: `https://explorer.example/tx/${transaction}`,
})

it('waits for the receipt of its own transaction, whatever else arrives', () => {
  const other = linked(`0x${'cd'.repeat(32)}`)
  expect(isAwaited(sent, { receipts: [other] })).toBe(true)
  expect(isAwaited(sent, { receipts: [other, other] })).toBe(true)
  expect(isAwaited(sent, { receipts: [other, linked(hash.toLowerCase())] })).toBe(false)
})

it('takes one receipt more than before for it where receipts do not tell', () => {
  expect(isAwaited(sent, { receipts: [aWireReceipt('1')] })).toBe(true)
  expect(isAwaited(sent, { receipts: [aWireReceipt('1'), aWireReceipt('2')] })).toBe(false)
})

it('does not let another attempt take the place of what was sent, until it is given up', () => {
  const asking = { stage: 'asking', walletId: '1', step: 'account' } as const
  noteAttempt('purchase', asking)
  expect(walletAttempt('purchase')).toEqual(asking)
  noteAttempt('purchase', sent)
  noteAttempt('purchase', { stage: 'refused', walletId: '1', reason: 'rejected' })
  expect(walletAttempt('purchase')).toEqual(sent)
  expect(walletAttempt('another')).toBeNull()
  clearAttempt('purchase')
  expect(walletAttempt('purchase')).toBeNull()
})
