const EXPLORERS: ReadonlyMap<number, string> = new Map([
  [1, 'https://etherscan.io'],
  [56, 'https://bscscan.com'],
  [137, 'https://polygonscan.com'],
])

/** What stands for the transaction of a transfer that is known by its block alone. */
const BLOCK = 'block:'

/**
 * Names a transfer that a contract sent. Nodes do not tell which transaction made it, so that it
 * is known by its block.
 */
export function nameByBlock(blockHash: string): string {
  return `${BLOCK}${blockHash}`
}

/** Where a person can look at a transfer; null for chains without a well-known place. */
export function explorerUrl(chainId: number, transactionHash: string): string | null {
  const explorer = EXPLORERS.get(chainId)
  if (explorer === undefined) return null
  return transactionHash.startsWith(BLOCK)
    ? `${explorer}/block/${transactionHash.slice(BLOCK.length)}`
    : `${explorer}/tx/${transactionHash}`
}
