import { randomUUID } from 'node:crypto'
import type { Transaction } from '#contract/shapes.ts'

type WireReceipt = Transaction['receipts'][number]

export const aWireReceipt = (amount: string, confirmations = 0): WireReceipt => ({
  id: randomUUID(),
  amount,
  confirmations,
  required_confirmations: 2,
  seen_date: '2030-01-01T00:00:00Z',
  transaction_hash: null,
  explorer_url: null,
})

type WireRefund = Transaction['refunds'][number]

/** 0.1 ETH that are due, and are in no claim. */
export const aWireRefund = (change: Partial<WireRefund> = {}): WireRefund => ({
  amount: '0.1',
  sent_amount: null,
  symbol: 'ETH',
  chain: 'ERC20',
  status: 'due',
  why: 'overpaid',
  is_claimable: false,
  claim: null,
  transaction_hash: null,
  explorer_url: null,
  ...change,
})

/** A purchase as it travels: $1,000 in ETH, not paid yet. */
export function aWireTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    id: randomUUID(),
    type: 'purchase',
    status: 'pending',
    status_reason: null,
    user_id: '6f1c24f1-8b1f-4a9e-9c36-0d2a7a2f9f10',
    payment_token: {
      id: 'eth',
      name: 'Ethereum',
      short_name: 'ETH',
      chain: 'ERC20',
      decimals: 18,
      min_amount_fiat: 10,
      payment_provider_ids: { sandbox: 'eth' },
      price_from: 'feeds',
      test_network: null,
    },
    payment_address: 'sandbox-eth-1',
    payment_id: '1',
    initial_purchase_amount_crypto: 0.4,
    initial_purchase_amount_fiat: 1000,
    actual_purchase_amount_crypto: null,
    actual_purchase_amount_fiat: null,
    created_date: '2030-01-01T00:00:00Z',
    expires_date: '2030-01-01T00:30:00Z',
    completed_date: null,
    token_price: 0.0001,
    tokens: { base: 10_000_000, bonuses: { base_bonus: 1_000_000 }, total: 11_000_000 },
    payment_amount: '0.4',
    payment_uri: 'ethereum:sandbox-eth-1@1?value=400000000000000000',
    confirmations: 0,
    required_confirmations: 2,
    receipts: [],
    stage_id: 'stage-1',
    refunds: [],
    terms_date: '2030-01-01',
    withdrawable_until_date: null,
    withdrawn_date: null,
    price_sources: [],
    ...change,
  }
}
