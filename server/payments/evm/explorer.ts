import { type Asset, NATIVE } from './calls/ask-many.ts'

const EXPLORERS: ReadonlyMap<number, string> = new Map([
  [1, 'https://etherscan.io'],
  [56, 'https://bscscan.com'],
  [137, 'https://polygonscan.com'],
])

/** What stands for the transaction of a transfer that is known by its block alone. */
const BLOCK = 'block:'

/**
 * Names what came without a transaction of its own: coins that a contract sent, of which nodes do
 * not tell by which transaction, or a token without a log. One block may bring both.
 */
export function nameByBlock(blockHash: string, asset: Asset): string {
  return asset === NATIVE ? `${BLOCK}${blockHash}` : `${BLOCK}${blockHash}:${asset}`
}

/** Where a person can look at a transfer; null for chains without a well-known place. */
export function explorerUrl(chainId: number, transactionHash: string): string | null {
  const explorer = EXPLORERS.get(chainId)
  if (explorer === undefined) return null
  if (!transactionHash.startsWith(BLOCK)) return `${explorer}/tx/${transactionHash}`
  const [blockHash] = transactionHash.slice(BLOCK.length).split(':')
  return `${explorer}/block/${blockHash}`
}
