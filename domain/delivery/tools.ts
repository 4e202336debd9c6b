import type { DistributionTool } from './distribution.ts'
import type { TreeKind } from './tree-proof.ts'

export type ToolTraits = {
  /** The kind of tree whose root the tool's contract has; null if it has none. */
  tree: TreeKind | null
  /** How many wallets one contract, or one of several files, accepts. */
  rowsMin: number
  rowsMax: number
  /** The most rows in a file; further rows go into further files. */
  rowsPerFile: number
  /** In base units of the token's contract: of one wallet, and of all of them together. */
  amountMax: bigint
  /** Whether it gets the release schedule, and releases the whole over time itself. */
  releases: boolean
  /** What its addresses are of. */
  chain: 'evm' | 'solana'
  /** Whether buyers claim from a contract, or a wallet sends to them. */
  delivers: 'claim' | 'send'
  /** Whether its contract holds many people's campaigns, each identified by an id. */
  hasCampaigns: boolean
}

const MANY = 1_000_000
const UINT64_MAX = 2n ** 64n - 1n
const UINT128_MAX = 2n ** 128n - 1n
const UINT256_MAX = 2n ** 256n - 1n

const claimed: ToolTraits = {
  tree: 'standard',
  rowsMin: 1,
  rowsMax: MANY,
  rowsPerFile: MANY,
  amountMax: UINT256_MAX,
  releases: false,
  chain: 'evm',
  delivers: 'claim',
  hasCampaigns: false,
}
/** Its service requires two recipients, and its contracts count in `uint128`. */
const sablier: ToolTraits = { ...claimed, rowsMin: 2, amountMax: UINT128_MAX }
const sent: ToolTraits = { ...claimed, tree: null, delivers: 'send' }

/** Tools that buyers claim from on the page of their service, which has to be named. */
export const toolsWithPages: readonly DistributionTool[] = [
  'sablier_instant',
  'sablier_linear',
  'sablier_tranched',
  'hedgey',
]

/** What each tool accepts. The app CSV Airdrop reads 501 lines including the header. */
export const toolTraits: Record<DistributionTool, ToolTraits> = {
  sablier_instant: sablier,
  sablier_linear: { ...sablier, releases: true },
  sablier_tranched: { ...sablier, releases: true },
  safe_airdrop: { ...sent, rowsPerFile: 500 },
  // One transaction has room for some hundreds of transfers.
  safe_transactions: { ...sent, rowsPerFile: 200 },
  openzeppelin: claimed,
  uniswap: { ...claimed, tree: 'layered' },
  hedgey: { ...claimed, hasCampaigns: true },
  streamflow: { ...sent, amountMax: UINT64_MAX, chain: 'solana', delivers: 'claim' },
  plain: sent,
}
