import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

import type {
  DistributionEventKind,
  DistributionState,
  DistributionTool,
} from '#domain/delivery/distribution.ts'
import type { ToolSchedule } from '#domain/delivery/tool-schedule.ts'
import type { WalletProof } from '#domain/delivery/wallet.ts'
import type { TokenAmount } from '#domain/money.ts'

/** Where the tokens go once the sale is over: wallets, snapshots, and what is handed out. */
export type DeliveryTables = {
  receiving_wallets: {
    id: string
    user_id: string
    chain_id: bigint
    address: string
    proof: WalletProof
    message: string | null
    signature: string | null
    block_height: bigint | null
    block_hash: string | null
    set_at: Date
    effective_at: Date
    cancelled_at: Date | null
  }
  wallet_challenges: {
    nonce: string
    user_id: string
    message: string
    expires_at: Date
    used_at: Date | null
  }
  snapshots: {
    number: number
    taken_at: Date
    ledger_position: bigint
    tokens: TokenAmount
    leaf_count: number
    owner_count: number
    root: Uint8Array
    reason: string | null
  }
  snapshot_leaves: {
    snapshot: number
    cause_id: string
    user_id: string
    stage_id: string
    tokens: TokenAmount
    salt: Uint8Array
    tree_index: number
  }
  snapshot_nodes: {
    snapshot: number
    start: number
    nodes: Uint8Array
  }
  snapshot_owners: {
    snapshot: number
    user_id: string
    tokens: TokenAmount
    address: string | null
  }
  distributions: {
    id: GeneratedAlways<bigint>
    snapshot: number
    tool: DistributionTool
    through: number | null
    chain_id: bigint
    token: string
    token_decimals: number
    row_count: number
    tokens: TokenAmount
    amount: bigint
    dust_count: number
    /** Also what was left over of wallets that are in the list. */
    dust_tokens: TokenAmount
    root: Uint8Array | null
    schedule: ColumnType<ToolSchedule | null, string | null>
    made_at: Date
    made_height: bigint | null
    state: Generated<DistributionState>
    contract: string | null
    campaign: string | null
    claim_url: string | null
    from_height: bigint | null
    read_height: bigint | null
    read_hash: string | null
    remaining: bigint | null
    expires_at: Date | null
    published_at: Date | null
    ended_at: Date | null
    reason: string | null
  }
  distribution_rows: {
    distribution_id: bigint
    place: number
    address: string
    tokens: TokenAmount
    amount: bigint
    tree_index: number | null
  }
  distribution_nodes: {
    distribution_id: bigint
    start: number
    nodes: Uint8Array
  }
  distribution_files: {
    distribution_id: bigint
    place: number
    name: string
    first_row: number
    row_count: number
    amount: bigint
    bytes: bigint
    sha256: Uint8Array
  }
  distribution_parts: {
    distribution_id: bigint
    place: number
    user_id: string
    tokens: TokenAmount
  }
  distribution_events: {
    distribution_id: bigint
    /** Null for what was swept, or went to an unknown owner. */
    place: number | null
    kind: DistributionEventKind
    transaction_hash: string
    log_index: number
    block_height: bigint
    block_hash: string
    at: Date
    receiver: string
    amount: bigint
    is_late: Generated<boolean>
  }
}
