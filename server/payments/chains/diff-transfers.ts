import type { SightedTransfer } from '#server/ports/rail.ts'

type Found = {
  /** What was recorded in the blocks read now, or as waiting for one. */
  recorded: readonly SightedTransfer[]
  /** What the blocks read now contain. */
  mined: readonly SightedTransfer[]
  /** What was found waiting for a block, as far as that was read. */
  pending: readonly SightedTransfer[]
  /** All transactions that wait for a block. */
  pendingIds: ReadonlySet<string>
  /** True if the blocks were read to the end of the chain. */
  isAtEnd: boolean
}

/**
 * What has become of transfers since they were recorded: mined, seen waiting, waiting again after a
 * reorganisation, or gone, because they were replaced or what they spend was spent otherwise.
 */
export function diffTransfers(found: Found): SightedTransfer[] {
  const { recorded, mined, pending, pendingIds, isAtEnd } = found
  const inBlocks = new Set(mined.map(transferKey))
  const known = new Set(recorded.map(transferKey))
  const fresh = pending.filter((transfer) => {
    const key = transferKey(transfer)
    return !inBlocks.has(key) && !known.has(key)
  })
  const changed = recorded
    .filter((transfer) => !inBlocks.has(transferKey(transfer)))
    .flatMap((transfer): SightedTransfer[] => {
      const wasWaiting = transfer.blockHeight === null
      if (pendingIds.has(transfer.transactionHash)) {
        return wasWaiting ? [] : [{ ...transfer, blockHeight: null }]
      }
      // A block that is still to be read may have it.
      return wasWaiting && !isAtEnd ? [] : [{ ...transfer, isGone: true }]
    })
  return [...mined, ...fresh, ...changed]
}

/** Identifies a transfer on its chain. */
function transferKey({ transactionHash, index }: SightedTransfer): string {
  return `${transactionHash} ${index}`
}
