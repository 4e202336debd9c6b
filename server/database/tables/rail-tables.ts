import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CryptoAmount } from '#domain/money.ts'
import type { SweepState, SweepTransactionState } from '#domain/chains/sweep-states.ts'
import type { ForeignAsset } from '#server/ports/rail.ts'

export type RailTables = {
  pinned_keys: {
    name: string
    fingerprint: string
    is_current: boolean
    next_index: Generated<bigint>
    database: string | null
    pinned_at: Date
  }
  derived_addresses: {
    id: GeneratedAlways<bigint>
    key_name: string
    fingerprint: string
    derivation_index: bigint
    chain: string | null
    address: string
    taken_at: Date
  }
  sweeps: {
    id: string
    chain: string
    treasury: string
    payer: string
    file_hash: string
    state: Generated<SweepState>
    kept_at: Date
    opened_at: Date | null
    closed_at: Date | null
  }
  sweep_transactions: {
    sweep_id: string
    place: number
    kind: 'gas' | 'coins' | 'tokens'
    transaction_hash: string
    raw: string
    sender: string
    nonce: bigint
    address: string
    payment_token_id: string | null
    amount: CryptoAmount
    fee: CryptoAmount
    state: Generated<SweepTransactionState>
    block_height: bigint | null
    sent_at: Date | null
    fault: string | null
  }
  sweep_movements: {
    chain: string
    transaction_hash: string
    output_index: number
    kind: 'out' | 'gas'
    address: string
    counterparty: string
    payment_token_id: string | null
    amount: CryptoAmount
    fee: CryptoAmount
    block_height: bigint
    is_gone: Generated<boolean>
    moved_at: Date
  }
  payout_psbts: {
    batch_id: bigint
    psbt: string
    key_name: string
    fingerprint: string
    change_index: bigint
    made_at: Date
  }
  sandbox_chain: { id: Generated<number>; height: bigint; revision: bigint; mined_at: Date }
  sandbox_transfers: {
    transaction_hash: string
    address: string
    foreign_asset: ColumnType<ForeignAsset | null, string | null, never>
    payment_token_id: string | null
    amount: CryptoAmount
    block_height: bigint | null
    is_gone: Generated<boolean>
    sent_at: Date
    is_outgoing: Generated<boolean>
    revision: bigint
  }
}
