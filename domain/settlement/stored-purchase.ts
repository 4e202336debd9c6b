import { cryptoAmount, tokenAmount, usd } from '#domain/money.ts'
import type { PurchaseOrder, PurchaseRequest } from '#domain/sale/booking.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import type { Reversal } from './facts.ts'
import type { PurchaseOutcome } from './outcome.ts'

/** The part of the last settlement's result that is stored with the purchase. */
export type StoredOutcome = Pick<
  PurchaseOutcome,
  | 'status'
  | 'reason'
  | 'reserved'
  | 'reservationLeft'
  | 'due'
  | 'confirmations'
  | 'credited'
  | 'allocations'
>

export type Purchase = PurchaseOrder & {
  terms: PurchaseTerms
  /** Whether the gateway's API reported the payment as failed. */
  hasGatewayFailed: boolean
  /** Null if it stands. */
  reversal: Reversal | null
  outcome: StoredOutcome
  completedAt: Date | null
}

/**
 * A purchase that was just made: it holds everything that it reserved, and owes everything that it
 * costs.
 */
export function newPurchase(request: PurchaseRequest, isFirst: boolean): Purchase {
  const terms = isFirst ? request.firstTerms : request.terms
  return {
    ...request,
    terms,
    hasGatewayFailed: false,
    reversal: null,
    outcome: {
      status: 'pending',
      reason: null,
      reserved: terms.reserved,
      reservationLeft: terms.reserved,
      due: terms.cryptoDue,
      confirmations: 0,
      credited: { usd: usd(0n), crypto: cryptoAmount(0n), base: tokenAmount(0n), bonuses: {} },
      allocations: [],
    },
    completedAt: null,
  }
}
