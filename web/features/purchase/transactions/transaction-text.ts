import type { Transaction } from '#contract/shapes.ts'
import { formatDate, localDates } from '#web/lib/format/format.ts'
import { unitsFromWire } from '#contract/codec.ts'
import { WIRE_DECIMALS, valueText } from '#web/lib/format/token-amounts.ts'
import type { Tone } from '#web/ui/style/tone.tsx'
import { isRefundDue, isRefundUnclaimed, paidPrice } from '#web/features/purchase/payment-state.ts'

export const statusTones: Record<Transaction['status'], Tone> = {
  completed: 'success',
  expired: 'error',
  failed: 'error',
  pending: 'warning',
  processing: 'info',
}

/** Its buyer has withdrawn from it; on the wire this is a kind of failure. */
export function isWithdrawn({ status, status_reason: reason }: StatedTransaction): boolean {
  return status === 'failed' && reason === 'withdrawn'
}

type StatedTransaction = Pick<Transaction, 'status' | 'status_reason'>

export function statusWord(
  { statuses, withdrawn }: { statuses: Record<Transaction['status'], string>; withdrawn: string },
  transaction: StatedTransaction,
): string {
  return isWithdrawn(transaction) ? withdrawn : statuses[transaction.status]
}

/** What was paid, or is to be paid, in the payment token and in dollars; null for a reward. */
export function paidAmounts(transaction: Transaction) {
  const crypto =
    transaction.actual_purchase_amount_crypto ?? transaction.initial_purchase_amount_crypto
  const fiat = transaction.actual_purchase_amount_fiat ?? transaction.initial_purchase_amount_fiat
  return { crypto, fiat }
}

/** True if nothing was bought: no tokens ever moved. */
export function isLost({ status }: Pick<Transaction, 'status'>): boolean {
  return status === 'expired' || status === 'failed'
}

/** The state of a transaction's money beyond its status; null if the status says it all. */
export function moneyState(transaction: Transaction) {
  const { status, status_reason: reason, refunds, receipts } = transaction
  if (isRefundUnclaimed(transaction)) return 'refundDue'
  if (isRefundDue(transaction)) return 'refundUnderWay'
  if (status === 'pending') return receipts.length > 0 ? 'arriving' : 'waiting'
  if (status === 'processing') return reason === 'held' ? 'held' : 'confirming'
  return refunds.length > 0 ? 'refunded' : null
}

const thisYear = localDates({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** An instant in the reader's time zone; with the year only if it is not the present one. */
export function dateText(instant: string): string {
  const date = new Date(instant)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return isThisYear ? thisYear(date) : formatDate(instant)
}

/** What the tokens of a transaction are worth at its own price, in dollars. */
export function tokensValue(transaction: Transaction): string {
  const units = unitsFromWire(transaction.tokens.total, WIRE_DECIMALS)
  return valueText(units, paidPrice(transaction).price, WIRE_DECIMALS)
}

/** What the bonus tokens of a transaction are worth at its price; null if it has none. */
export function bonusValue(transaction: Transaction): string | null {
  const bonuses = Object.values(transaction.tokens.bonuses)
  const units = bonuses.reduce((sum, part) => sum + unitsFromWire(part, WIRE_DECIMALS), 0n)
  return units > 0n ? valueText(units, paidPrice(transaction).price, WIRE_DECIMALS) : null
}
