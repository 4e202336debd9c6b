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

/** Money is `bigint` on both sides; inside JSON it is decimal strings. */
export type SaleTables = {
  sale: SaleTable
  sale_files: SaleFilesTable
  stages: StagesTable
  stage_counters: StageCountersTable
  purchases: PurchasesTable
  first_purchases: FirstPurchasesTable
  purchase_status_history: PurchaseStatusHistoryTable
  chains: ChainsTable
  receipts: ReceiptsTable
  foreign_transfers: ForeignTransfersTable
  unmatched_transfers: UnmatchedTransfersTable
  purchase_sums: PurchaseSumsTable
  funnel_days: FunnelDaysTable
  grants: GrantsTable
  operator_marks: OperatorMarksTable
  operator_actions: OperatorActionsTable
  settlements_due: SettlementsDueTable
  rewards: RewardsTable
  ledger_transfers: LedgerTransfersTable
  prices: PricesTable
  price_points: PricePointsTable
  leases: LeasesTable
  invariant_checks: InvariantChecksTable
  unchecked: UncheckedTable
  checked_through: CheckedThroughTable
  checked_balances: CheckedBalancesTable
  audits: AuditsTable
}

type SaleTable = {
  id: Generated<number>
  first_applied_at: Date
  is_paused: Generated<boolean>
  applied: JSONColumnType<SaleDescription>
  applied_at: Date
  file_id: Generated<bigint | null>
  pause_reason: string | null
  paused_at: Date | null
  closed_at: Date | null
  accepted_breaches: ColumnType<AcceptedBreach[], string | undefined, string>
}

export type SaleFilesTable = {
  id: GeneratedAlways<bigint>
  text: string
  /** In hex. */
  sha256: string
  source: 'disk' | 'console' | 'restart'
  applied_at: Date
  operator_id: string | null
  operator: string | null
  changes: JSONColumnType<SaleChange[]>
}

/** The part of a breach that is the same each time it is found. */
export type AcceptedBreach = { check: string; subject: string }

type InvariantChecksTable = {
  id: Generated<number>
  checked_at: Date
  duration_ms: number
  breaches: JSONColumnType<StoredBreach[]>
  not_run: JSONColumnType<{ check: string; fault: string }[]>
}

type UncheckedTable = {
  id: GeneratedAlways<bigint>
  kind: 'purchase' | 'user' | 'transfer' | 'mail' | 'snapshot' | 'distribution'
  subject: string
}

type CheckedThroughTable = { table_name: string; row_id: bigint }

type CheckedBalancesTable = { account: string; asset: string; received: bigint; given: bigint }

type AuditsTable = {
  id: Generated<number>
  ended_at: Date
  duration_ms: number
  not_run: JSONColumnType<{ check: string; fault: string }[]>
}

export type StoredBreach = AcceptedBreach & { fault: string }

type StagesTable = {
  id: string
  position: number
  name: string
  type: StageType
  token_price: Price
  final_token_price: Price
  starts_at: Date
  ends_at: Date | null
}

type StageCountersTable = {
  stage_id: string
  supply: TokenAmount
  reserved: TokenAmount
  sold: TokenAmount
  unpaid: Generated<TokenAmount>
  token_price: Price
  sold_out_at: Date | null
}

/** Percentages in ten-thousandths of a percent, as decimal strings. */
export type StoredLockedBonuses = {
  flat: Partial<Record<Exclude<BonusType, 'spending_bonus'>, string>>
  spending: { from: string; rate: string }[]
}

export type StoredBonusTokens = Partial<Record<BonusType, string>>
export type StoredAllocation = { stageId: string; tokens: string }

export type PurchasesTable = {
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

type FirstPurchasesTable = { user_id: string; purchase_id: string }

type PurchaseStatusHistoryTable = {
  id: GeneratedAlways<bigint>
  purchase_id: string
  status: PurchaseStatus
  status_reason: StatusReason | null
  at: Date
}

type ChainsTable = { name: string; cursor: string; height: bigint; read_through: Date }

export type ReceiptsTable = {
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

export type ForeignTransfersTable = {
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

export type UnmatchedTransfersTable = {
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
type PurchaseSumsTable = {
  /** In UTC, as text: `2026-11-22`. */
  day: ColumnType<string, never, never>
  payment_token_id: ColumnType<string, never, never>
  status: ColumnType<PurchaseStatus, never, never>
  count: ColumnType<bigint, never, never>
  credited_usd: ColumnType<Usd, never, never>
}

type FunnelDaysTable = {
  step: 'visited' | 'registered' | 'bought' | 'paid'
  day: ColumnType<string, never, never>
  count: ColumnType<bigint, never, never>
}

type GrantsTable = {
  receipt_id: string
  purchase_id: string
  stage_id: string
  tokens: TokenAmount
  is_short: boolean
}

type OperatorMarksTable = {
  id: GeneratedAlways<bigint>
  purchase_id: string
  kind: OperatorMark['kind']
  at: Date
  reason: string | null
}

export type OperatorActionsTable = {
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

type SettlementsDueTable = { purchase_id: string }

export type RewardsTable = {
  id: string
  referee_id: string
  referrer_id: string
  stage_id: string
  token_price: Price
  usd: Usd
  spend_usd: Usd
  tokens: TokenAmount
  status: 'completed' | 'failed'
  created_at: Date
  completed_at: Date
}

export type LedgerTransfersTable = {
  id: GeneratedAlways<bigint>
  cause_id: string | null
  user_id: string | null
  source: string
  destination: string
  asset: string
  amount: bigint
  at: Date
}

type PricesTable = {
  symbol: string
  price: Price
  fetched_at: Date
  sources: JSONColumnType<StoredSource[]>
}

type PricePointsTable = { id: GeneratedAlways<bigint>; stage_id: string; price: Price; at: Date }

type LeasesTable = { name: string; ends_at: Date }
