import type { Generated, GeneratedAlways } from 'kysely'

import type { CryptoAmount } from '#domain/money.ts'
import type { RefundBatchState, RefundClaimState } from '#domain/refunds/claim-states.ts'
import type { RailName } from '#domain/sale/sale.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'

/** What is owed back, what of it is claimed, and what was paid. */
export type RefundTables = {
  refunds_due: {
    receipt_id: string
    purchase_id: string
    amount: CryptoAmount
    why: RefundDue['why']
    since: Date
  }
  refund_payments: {
    id: GeneratedAlways<bigint>
    receipt_id: string
    purchase_id: string
    amount: CryptoAmount
    fee: Generated<CryptoAmount>
    claim_id: string | null
    why: RefundDue['why']
    owed_since: Date
    chain: string
    transaction_hash: string
    place: number
    paid_at: Date
  }
  refund_claims: {
    id: string
    user_id: string
    rail: RailName
    chain: string
    payment_token_id: string
    address: string
    amount: CryptoAmount
    fee: CryptoAmount
    state: Generated<RefundClaimState>
    claimed_at: Date
    approvable_at: Date
    approved_at: Date | null
    batch_id: bigint | null
    transaction_hash: string | null
    output_index: number | null
    confirmations: number | null
    required_confirmations: number | null
    seen_height: bigint | null
    gone_at: Date | null
    reason: string | null
    closed_at: Date | null
  }
  refund_claim_parts: {
    claim_id: string
    receipt_id: string
    purchase_id: string
    amount: CryptoAmount
    fee: CryptoAmount
    why: RefundDue['why']
    owed_since: Date
    is_active: Generated<boolean>
  }
  refund_batches: {
    id: GeneratedAlways<bigint>
    rail: RailName
    chain: string
    state: Generated<RefundBatchState>
    since_height: bigint
    named_hash: string | null
    former_hashes: Generated<readonly string[]>
    reason: string | null
    created_at: Date
    closed_at: Date | null
  }
  refund_batch_claims: {
    batch_id: bigint
    claim_id: string
    left_at: Date | null
  }
  refund_double_payments: {
    id: GeneratedAlways<bigint>
    claim_id: string
    batch_id: bigint
    chain: string
    payment_token_id: string
    address: string
    transaction_hash: string
    output_index: number
    found_at: Date
  }
  refund_named_transactions: {
    batch_id: bigint
    hash: string
    spends: readonly string[]
    state: 'waiting' | 'mined' | 'unread' | 'replaced'
    replaced_by: string | null
  }
  refund_other_amounts: {
    batch_id: bigint
    claim_id: string
    transaction_hash: string
    output_index: number
    amount: CryptoAmount
  }
  refund_coin_transfers: {
    chain: string
    address: string
    sender: string
    transaction_hash: string
    amount: CryptoAmount
    block_height: bigint
  }
}
