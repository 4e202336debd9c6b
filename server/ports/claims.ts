import type { ChainHealth } from './rail.ts'
import type { DistributionEventKind, DistributionTool } from '#domain/delivery/distribution.ts'

/**
 * The chain that tokens are delivered on, as its nodes show it. It needs nothing of the sale's
 * payments: nodes of the chain are enough. Whatever asks throws `Unavailable` where none answers.
 */
export type DeliveryChain = {
  /** EIP-155. */
  chainId: number
  /** How many blocks deep something is delivered for good: as many as the dearest payment needs. */
  confirmations: number
  /** Where a person can look at a transaction; null if there is no such place. */
  explorerUrl(transactionHash: string): string | null
  /** The height of the newest block. */
  height(): Promise<bigint>
  /** The `decimals()` of a token (ERC-20); null if there is no such contract. */
  decimalsOf(token: string): Promise<number | null>
  /** How much a contract could still hand out after a block, in base units. */
  remaining(watched: WatchedDistribution, blockHash: string): Promise<bigint>
  /** What a contract that buyers claim from says of itself, or of one of its campaigns. */
  contractOf(address: string, campaign: string | null): Promise<ClaimContract>
  /** What has happened with a distribution since it was read last. Changes nothing. */
  read(watched: WatchedDistribution): Promise<DeliveryReading>
  /** How its last reading went, by this process. */
  health(): ChainHealth
}

export type ClaimContract = {
  /** Whether there is any code at the address: a wallet of a person has none, or delegates. */
  hasCode: boolean
  /** Of the tree that it pays by; null if it does not say. */
  root: Uint8Array | null
  /** The token that it hands out, in lower case; null if it does not say. */
  token: string | null
}

export type WatchedDistribution = {
  tool: DistributionTool
  token: string
  /** What buyers claim from, or the wallet that sends. */
  contract: string
  /** Which one it is, where the contract has many. */
  campaign: string | null
  fromHeight: bigint
  /** The last block that was read for good; null before the first reading. */
  settled: SettledBlock | null
}

export type SettledBlock = { height: bigint; hash: string }

export type DeliveryReading = {
  /** What was recorded above this height and up to `through` is replaced by what was found. */
  after: bigint
  through: bigint
  /** The last block that was read. */
  head: SettledBlock
  /** The newest of these blocks in which the token left the contract or wallet; null for none. */
  lastSentAt: bigint | null
  /** Null if nothing stands deep enough yet. */
  settled: SettledBlock | null
  found: readonly SeenDelivery[]
  /** False if blocks are left to be read at the next time. */
  isWhole: boolean
}

/** Something that a distribution's contract or sender did, in the order of the chain. */
export type SeenDelivery = {
  kind: DistributionEventKind
  /** The row's place, where the contract says it. */
  place: number | null
  /** Whose row it is or would be, in lower case; null for what was swept for certain. */
  owner: string | null
  /** Where the tokens went, in lower case: who claims may name another address. */
  receiver: string
  /** What the claim says; null if nothing but the transfer does. */
  claimed: bigint | null
  /** What arrived by the token's own log, in base units: less where the token keeps a fee. */
  amount: bigint
  transactionHash: string
  logIndex: number
  blockHeight: bigint
  blockHash: string
  at: Date
}
