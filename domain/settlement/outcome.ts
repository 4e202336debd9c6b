import type { CryptoAmount, TokenAmount, Usd } from '#domain/money.ts'
import type { BonusTokens } from '#domain/sale/bonus.ts'

export const purchaseStatuses = ['pending', 'processing', 'completed', 'expired', 'failed'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

export const statusReasons = [
  'underpaid',
  'overpaid',
  'late',
  'wrong_asset',
  'reorged',
  'held',
  'withdrawn',
  'soft_cap',
] as const
export type StatusReason = (typeof statusReasons)[number]

/**
 * The filters for a buyer's transactions: `open` waits for a payment or its confirmations, `done`
 * was credited, `refund` has money that is owed back.
 */
export const transactionStates = ['open', 'done', 'refund'] as const
export type TransactionState = (typeof transactionStates)[number]

export const refundReasons = [
  'underpaid',
  'overpaid',
  'late',
  'wrong_asset',
  'failed',
  'withdrawn',
  'soft_cap',
] as const

/**
 * `open`: owed. `promised`: in a claim that an operator has approved. `paid`: paid back.
 * `uncovered`: paid back, but the money for it is gone, because a reorganisation removed the
 * receipt.
 */
export const refundStates = ['open', 'promised', 'paid', 'uncovered'] as const
export type RefundState = (typeof refundStates)[number]

/** What became of a transfer of a token that the sale does not take. */
export const foreignTransferStates = ['open', 'dismissed', 'owed'] as const
export type ForeignTransferState = (typeof foreignTransferStates)[number]

/** How operators sort purchases: by when they were made, or by the dollars requested. */
export const purchaseSortings = ['newest', 'oldest', 'largest'] as const
export type PurchaseSorting = (typeof purchaseSortings)[number]

/** What is owed back to the buyer. */
export type RefundDue = {
  receiptId: string
  amount: CryptoAmount
  why: (typeof refundReasons)[number]
}

/**
 * Tokens beyond the reservation that a stage gave for money that was too much, came late, or came
 * after the reservation had been given back. At most one for each receipt.
 */
export type Grant = {
  receiptId: string
  stageId: string
  tokens: TokenAmount
  /** True if the stage had less than was asked for: it is not asked again. */
  isShort: boolean
}

export type PurchaseOutcome = {
  status: PurchaseStatus
  reason: StatusReason | null
  /** Tokens that stay held in the purchase's own stage. */
  reserved: TokenAmount
  /** Tokens that belong to the buyer, by the stage they come from. */
  allocations: readonly { stageId: string; tokens: TokenAmount }[]
  /** What was credited: zero unless completed. `base` and `bonuses` add up to the allocations. */
  credited: { usd: Usd; crypto: CryptoAmount; base: TokenAmount; bonuses: BonusTokens }
  /** What is still to be sent; zero when covered, expired or failed. */
  due: CryptoAmount
  /** Those of the receipt, of all that count, that lacks the most. */
  confirmations: number
  refunds: readonly RefundDue[]
  /**
   * Confirmed receipts in any asset: money that has arrived, with final amounts, including what was
   * paid back of it.
   */
  booked: readonly { receiptId: string; amount: CryptoAmount }[]
  /** To be stored in place of the earlier grants: what is not used goes back to its stage. */
  grants: readonly Grant[]
  /** To be stored: what the purchase still has of its reservation, held or allocated. */
  reservationLeft: TokenAmount
}
