import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { BonusType } from '#domain/sale/bonus.ts'
import type { SaleDescription } from '#domain/sale/changes/describe-sale.ts'
import type { SaleChange } from '#domain/sale/changes/sale-changes.ts'
import type { CryptoAmount, Price, TokenAmount, Usd } from '#domain/money.ts'
import type { OperatorMark, Reversal } from '#domain/settlement/facts.ts'
import type {
  ForeignTransferState,
  PurchaseStatus,
  StatusReason,
} from '#domain/settlement/outcome.ts'
import type { RailName, StageType } from '#domain/sale/sale.ts'
import type { StoredSource } from './stored-sources.ts'

/** As it was stored while links still counted as words: what was applied is never rewritten. */
type FormerSaleChange = Omit<SaleChange, 'concerns'> & { changesMoney: boolean }

/** Money is `bigint` on both sides; inside JSON it is decimal strings. */
export type SaleTables = {
  sale: {
    id: Generated<number>
    first_applied_at: Date
    applied: JSONColumnType<SaleDescription>
    applied_at: Date
    file_id: Generated<bigint | null>
    pause_reason: string | null
    paused_at: Date | null
    closed_at: Date | null
    accepted_breaches: ColumnType<AcceptedBreach[], string | undefined, string>
  }
  sale_files: {
    id: GeneratedAlways<bigint>
    text: string
    /** In hex. */
    sha256: string
    source: 'disk' | 'console' | 'restart'
    applied_at: Date
    operator_id: string | null
    operator: string | null
    changes: JSONColumnType<(SaleChange | FormerSaleChange)[]>
  }
  stages: {
    id: string
    position: number
    name: string
    type: StageType
    token_price: Price
    final_token_price: Price
    starts_at: Date
    ends_at: Date | null
  }
  stage_counters: {
    stage_id: string
    supply: TokenAmount
    reserved: TokenAmount
    sold: TokenAmount
    unpaid: Generated<TokenAmount>
    token_price: Price
    sold_out_at: Date | null
  }
  purchases: {
    id: string
    user_id: string
    idempotency_key: string | null
    request_fingerprint: string
    stage_id: string
    payment_token_id: string
    rail: RailName
    chain: string
    address: string
    payment_id: string
    derivation_index: bigint | null
    usd: Usd
    token_price: Price
    token_decimals: number
    crypto_price: Price
    price_sources: JSONColumnType<StoredSource[]>
    crypto_decimals: number
    crypto_due: CryptoAmount
    reserved: TokenAmount
    locked_bonuses: JSONColumnType<StoredLockedBonuses>
    min_usd: Usd
    rail_min_usd: Usd
    max_usd: Usd | null
    required_confirmations: number
    terms_date: string
    withdrawable_until: Date | null
    connection_hash: Generated<Uint8Array | null>
    created_at: Date
    expires_at: Date
    grace_ends_at: Date
    has_gateway_failed: Generated<boolean>
    reversal: Reversal['kind'] | null
    reversed_at: Date | null
    status: PurchaseStatus
    status_reason: StatusReason | null
    held: TokenAmount
    reservation_left: TokenAmount
    due: CryptoAmount
    confirmations: Generated<number>
    credited_usd: Usd
    credited_crypto: CryptoAmount
    credited_base: TokenAmount
    credited_bonuses: JSONColumnType<StoredBonusTokens>
    allocations: JSONColumnType<StoredAllocation[]>
    completed_at: Date | null
  }
  first_purchases: { user_id: string; purchase_id: string }
  purchase_status_history: {
    id: GeneratedAlways<bigint>
    purchase_id: string
    status: PurchaseStatus
    status_reason: StatusReason | null
    at: Date
  }
  chains: { name: string; cursor: string; height: bigint; read_through: Date }
  receipts: {
    id: string
    purchase_id: string
    chain: string
    transaction_hash: string
    output_index: number
    payment_token_id: string | null
    asset: string | null
    amount: CryptoAmount
    block_height: bigint | null
    is_gone: boolean
    confirmations: number
    required_confirmations: number
    was_confirmed: boolean
    booked: Generated<CryptoAmount>
    seen_at: Date
    market_stage_id: string | null
    market_token_price: Price | null
    market_crypto_price: Price | null
    settled_amount: ColumnType<CryptoAmount | null, never, never>
    settled_confirmations: ColumnType<number | null, never, never>
  }
  foreign_transfers: {
    id: string
    purchase_id: string
    chain: string
    transaction_hash: string
    output_index: number
    asset: string
    symbol: string | null
    amount: CryptoAmount
    is_held: boolean | null
    block_height: bigint | null
    is_gone: Generated<boolean>
    seen_at: Date
    state: Generated<ForeignTransferState>
    reason: string | null
    decided_at: Date | null
  }
  unmatched_transfers: {
    chain: string
    transaction_hash: string
    output_index: number
    address: string
    payment_token_id: string | null
    asset: string | null
    amount: CryptoAmount
    block_height: bigint | null
    is_gone: boolean
    seen_at: Date
  }
  /** Written only by triggers. */
  purchase_sums: {
    /** In UTC, as text: `2026-11-22`. */
    day: ColumnType<string, never, never>
    payment_token_id: ColumnType<string, never, never>
    status: ColumnType<PurchaseStatus, never, never>
    count: ColumnType<bigint, never, never>
    credited_usd: ColumnType<Usd, never, never>
  }
  funnel_days: {
    step: 'visited' | 'registered' | 'bought' | 'paid'
    day: ColumnType<string, never, never>
    count: ColumnType<bigint, never, never>
  }
  /** Written only by triggers. */
  used_parts: {
    kind: ColumnType<'stage' | 'payment_token', never, never>
    id: ColumnType<string, never, never>
  }
  grants: {
    receipt_id: string
    purchase_id: string
    stage_id: string
    tokens: TokenAmount
    is_short: boolean
  }
  operator_marks: {
    id: GeneratedAlways<bigint>
    purchase_id: string
    kind: OperatorMark['kind']
    at: Date
    reason: string
  }
  operator_actions: {
    /** 1, 2, 3 and so on without gaps. */
    id: bigint
    at: Date
    kind: 'person' | 'key' | 'token' | 'server'
    operator_id: string | null
    operator: string | null
    address: string
    act: string
    purchase_id: string | null
    user_id: string | null
    details: JSONColumnType<Record<string, string>>
    hash: Uint8Array
  }
  settlements_due: { purchase_id: string }
  rewards: {
    id: string
    referee_id: string
    referrer_id: string
    stage_id: string
    token_price: Price
    usd: Usd
    spend_usd: Usd
    tokens: TokenAmount
    status: 'completed' | 'failed'
    status_reason: 'reorged' | null
    created_at: Date
    completed_at: Date
  }
  ledger_transfers: {
    id: GeneratedAlways<bigint>
    cause_id: string | null
    user_id: string | null
    source: string
    destination: string
    asset: string
    amount: bigint
    at: Date
  }
  prices: {
    symbol: string
    price: Price
    fetched_at: Date
    sources: JSONColumnType<StoredSource[]>
  }
  price_points: { id: GeneratedAlways<bigint>; stage_id: string; price: Price; at: Date }
  leases: { name: string; ends_at: Date }
  invariant_checks: {
    id: Generated<number>
    checked_at: Date
    duration_ms: number
    breaches: JSONColumnType<StoredBreach[]>
    not_run: JSONColumnType<{ check: string; fault: string }[]>
  }
  unchecked: {
    id: GeneratedAlways<bigint>
    kind: 'purchase' | 'user' | 'transfer' | 'mail' | 'snapshot' | 'distribution'
    subject: string
  }
  checked_through: { table_name: string; row_id: bigint }
  checked_balances: { account: string; asset: string; received: bigint; given: bigint }
  audits: {
    id: Generated<number>
    ended_at: Date
    duration_ms: number
    not_run: JSONColumnType<{ check: string; fault: string }[]>
  }
}

/** The part of a breach that is the same each time it is found. */
export type AcceptedBreach = { check: string; subject: string }

export type StoredBreach = AcceptedBreach & { fault: string }

/** Percentages in ten-thousandths of a percent, as decimal strings. */
export type StoredLockedBonuses = {
  flat: Partial<Record<Exclude<BonusType, 'spending_bonus'>, string>>
  spending: { from: string; rate: string }[]
}

export type StoredBonusTokens = Partial<Record<BonusType, string>>
export type StoredAllocation = { stageId: string; tokens: string }
