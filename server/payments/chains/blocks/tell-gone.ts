import type { SightedTransfer } from '#server/services.ts'

/** Tells a transfer from all others of its chain. */
export function transferKey({ transactionHash, index }: SightedTransfer): string {
  return `${transactionHash} ${index}`
}

/** What was recorded and has not been found again, as gone. */
export function tellGone(
  recorded: readonly SightedTransfer[],
  found: readonly SightedTransfer[],
): SightedTransfer[] {
  const again = new Set(found.map(transferKey))
  return recorded
    .filter((transfer) => !again.has(transferKey(transfer)))
    .map((transfer) => ({ ...transfer, isGone: true }))
}
