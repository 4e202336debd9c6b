import type { Transaction } from '#contract/shapes.ts'
import { receivedAmount } from '#web/features/purchase/payment-state.ts'
import type { transaction as texts } from '#web/messages/en/transaction.ts'
import { isOwnCoin } from './payment-figures.ts'

type RefundReason = keyof (typeof texts)['refund']['reasons']

/** Why money in the right coin could not be credited. */
export function refundReason(transaction: Transaction): RefundReason {
  const {
    refunds,
    status,
    status_reason: reason,
    initial_purchase_amount_crypto: asked,
  } = transaction
  if (reason === 'withdrawn') return 'withdrawn'
  if (reason === 'soft_cap') return 'softCap'
  if (status === 'failed') return reason === 'underpaid' ? 'short' : 'failed'
  // Tokens that went back to the stage, as after a reorganisation, may have been sold meanwhile.
  const isOwedAsFailed = refunds.some(
    (refund) => isOwnCoin(transaction, refund) && refund.why === 'failed',
  )
  if (isOwedAsFailed) return 'noTokens'
  if (reason === 'late' || status === 'expired') return 'late'
  return Number(receivedAmount(transaction)) > (asked ?? 0) ? 'more' : 'noTokens'
}
