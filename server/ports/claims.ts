import type { ChainHealth } from './rail.ts'
import type { DistributionEventKind, DistributionTool } from '#domain/delivery/distribution.ts'

/**
 * The chain on which tokens are delivered, as its nodes show it. It does not need the sale's
 * payments: nodes of the chain are enough. Every query throws `Unavailable` if no node answers.
 */
export type DeliveryChain = {
  /** EIP-155. */
  chainId: number
  /** How many blocks deep a delivery is final: as many as the most valuable payment needs. */
  confirmations: number
  /** Where a person can look at a transaction; null if there is no such place. */
  explorerUrl(transactionHash: string): string | null
  height(): Promise<bigint>
  /** The `decimals()` of a token (ERC-20); null if there is no such contract. */
  decimalsOf(token: string): Promise<number | null>
  /** How much a contract could still hand out after a block, in base units. */
  remaining(watched: WatchedDistribution, blockHash: string): Promise<bigint>
  /** What a contract from which buyers claim says about itself, or about one of its campaigns. */
  contractOf(place: ClaimPlace): Promise<ClaimContract>
  /** What has happened with a distribution since the last reading. Changes nothing. */
  read(watched: WatchedDistribution): Promise<DeliveryReading>
  /** How this process's last readings went: a fault stays until its distribution is read. */
  health(): ChainHealth
}

/** Where a list is claimed, and the token that it hands out. */
export type ClaimPlace = Pick<WatchedDistribution, 'token' | 'contract' | 'campaign'>

export type ClaimContract = {
  /** Whether there is any code at the address: a person's wallet has none, or delegates. */
  hasCode: boolean
  /** Of the tree that it pays by; null if it does not say. */
  root: Uint8Array | null
  /** The token that it hands out, in lower case; null if it does not say. */
  token: string | null
  /** How much of our token it can hand out by now, in base units. */
  remaining: bigint
}

export type WatchedDistribution = {
  tool: DistributionTool
  token: string
  /** What buyers claim from, or the wallet that sends. */
  contract: string
  /** Which one it is, if the contract has many. */
  campaign: string | null
  fromHeight: bigint
  /** When the list was made, if the chain's height at that time is not known: null otherwise. */
  madeAt: Date | null
  /** The last block that was read for good; null before the first reading. */
  settled: SettledBlock | null
}

export type SettledBlock = { height: bigint; hash: string }

export type DeliveryReading = {
  /** What was recorded above this height and up to `through` is replaced with what was found. */
  after: bigint
  through: bigint
  /** The last block that was read. */
  head: SettledBlock
  /** The newest of these blocks in which the token left the contract or wallet; null for none. */
  lastSentAt: bigint | null
  /** Null if nothing is deep enough yet. */
  settled: SettledBlock | null
  found: readonly SeenDelivery[]
  /** False if some blocks are left for the next time. */
  isWhole: boolean
}

/** Something that a distribution's contract or sender did, in the order of the chain. */
export type SeenDelivery = {
  kind: DistributionEventKind
  /** The row's place, if the contract reports it. */
  place: number | null
  /**
   * The owner of the row that it is or would be for, in lower case; null if it was certainly swept.
   */
  owner: string | null
  /** Where the tokens went, in lower case: the claimer may name another address. */
  receiver: string
  /** The amount that the claim reports; null if there is only the transfer. */
  claimed: bigint | null
  /**
   * The amount that arrived according to the token's own log, in base units: less if the token
   * keeps a fee.
   */
  amount: bigint
  transactionHash: string
  logIndex: number
  blockHeight: bigint
  blockHash: string
  at: Date
}
