import { keepSentTimes } from '#domain/chains/keep-sent-times.ts'
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
  /** Recorded transactions that may wait out of sight, as at the node of another server. */
  unseenIds: ReadonlySet<string>
  /** True if the blocks were read to the end of the chain, and all that waits. */
  isWhole: boolean
}

/**
 * What has become of transfers since they were recorded: mined, seen waiting, waiting again after a
 * reorganisation, or gone, because they were replaced or what they spend was spent otherwise.
 */
export function diffTransfers(found: Found): SightedTransfer[] {
  const { recorded, mined, pending, pendingIds, unseenIds, isWhole } = found
  const inBlocks = new Set(mined.map(transferKey))
  const known = new Set(recorded.map(transferKey))
  const isKnown = (transfer: SightedTransfer) => known.has(transferKey(transfer))
  const waiting = pending.filter((transfer) => !inBlocks.has(transferKey(transfer)))
  const arrived = [...mined, ...waiting].filter((transfer) => !isKnown(transfer))
  const unmined = recorded.filter((transfer) => !inBlocks.has(transferKey(transfer)))
  const isWaiting = ({ transactionHash }: SightedTransfer) => pendingIds.has(transactionHash)
  const wasMined = ({ blockHeight }: SightedTransfer) => blockHeight !== null
  const missing = unmined.filter((transfer) => !isWaiting(transfer))
  const { arrived: dated, replaced } = keepSentTimes(missing, arrived)
  const replacedIds = new Set(replaced.map(({ transactionHash }) => transactionHash))
  // What is still to be read may have those that waited.
  const isOver = ({ transactionHash: id }: SightedTransfer) =>
    unseenIds.has(id) ? replacedIds.has(id) : isWhole
  return [
    ...mined.filter(isKnown),
    ...dated,
    ...unmined.filter((transfer) => isWaiting(transfer) && wasMined(transfer)).map(asWaiting),
    ...missing.filter((transfer) => wasMined(transfer) || isOver(transfer)).map(asGone),
  ]
}

const asWaiting = (transfer: SightedTransfer) => ({ ...transfer, blockHeight: null })
const asGone = (transfer: SightedTransfer) => ({ ...transfer, isGone: true })

function transferKey({ transactionHash, index }: SightedTransfer): string {
  return `${transactionHash} ${index}`
}
