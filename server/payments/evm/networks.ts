import { type ConfirmationRule, confirmationRule } from '#server/payments/chains/confirmations.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'

type Steps = readonly [fromDollars: bigint, count: number][]

/**
 * @param explorer Where a person can look at transactions; null if there is no well-known place.
 * @param graceSeconds Some ten blocks: a transfer with an ordinary fee is mined within them.
 */
const network = (explorer: string | null, graceSeconds: number, ...confirmations: Steps) => ({
  explorer,
  graceSeconds,
  confirmations: confirmationRule(...confirmations),
})

/** By chain id. Ethereum finalises after 64 to 95 blocks; Polygon once replaced 157 of them. */
const NETWORKS = new Map([
  [1, network('https://etherscan.io', 120, [0n, 12], [10_000n, 32], [100_000n, 96])],
  [56, network('https://bscscan.com', 30, [0n, 20], [10_000n, 60], [100_000n, 200])],
  [137, network('https://polygonscan.com', 60, [0n, 64], [10_000n, 200], [100_000n, 400])],
])
const OTHER = network(null, 120, [0n, 32], [10_000n, 96], [100_000n, 200])

const networkOf = (chainId: number) => NETWORKS.get(chainId) ?? OTHER

export function defaultConfirmations(chainId: number): ConfirmationRule {
  return networkOf(chainId).confirmations
}

/** These chains never rest: with no new block for so long, a node is cut off. */
const SILENT_MAX_MS = 10 * 60_000

/** Null for a chain that need not make blocks, as far as is known. */
export function silentMaxMs(chainId: number): number | null {
  return NETWORKS.has(chainId) ? SILENT_MAX_MS : null
}

/** How long after an expiry a transfer that was sent before it may still be mined. */
export function defaultGraceSeconds(chainId: number): number {
  return networkOf(chainId).graceSeconds
}

const NAMESPACE = 'eip155:'

/** A chain's name wherever all rails' chains are listed together (CAIP-2). */
export function chainNameOf(chainId: number): string {
  return `${NAMESPACE}${chainId}`
}

export function chainIdOf(name: string): number {
  return Number(name.slice(NAMESPACE.length))
}

/** Takes the place of the transaction hash if only a transfer's block is known. */
const BLOCK = 'block:'

/**
 * Names a transfer without a transaction of its own: coins sent by a contract, whose transaction
 * nodes do not report, or a token without a log. One block may bring both.
 */
export function nameByBlock(blockHash: string, asset: Asset): string {
  return asset === NATIVE ? `${BLOCK}${blockHash}` : `${BLOCK}${blockHash}:${asset}`
}

/** Whether only a transfer's block is known. */
export function isNamedByBlock(transactionHash: string): boolean {
  return transactionHash.startsWith(BLOCK)
}

/** Where a person can look at a transfer; null for chains without a well-known place. */
export function explorerUrl(chainId: number, transactionHash: string): string | null {
  const { explorer } = networkOf(chainId)
  if (explorer === null) return null
  if (!isNamedByBlock(transactionHash)) return `${explorer}/tx/${transactionHash}`
  const [blockHash] = transactionHash.slice(BLOCK.length).split(':')
  return `${explorer}/block/${blockHash}`
}
