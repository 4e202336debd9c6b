import type { Accounting } from './accounting.ts'
import type { Asset } from './ask-many.ts'
import type { Watched } from '#server/payments/watch-list.ts'
import { type Arrival, confirmLogs, readNativeMovements } from './movements.ts'
import type { EvmNode, FullBlock } from './node.ts'
import { readBlocks } from './read-blocks.ts'
import { readTransferLogs } from './token-logs.ts'

export type RangeWish = {
  from: { height: bigint; hash: string }
  to: bigint
  watched: Watched
  /** The contracts of the sale's tokens. */
  contracts: readonly Asset[]
  /** False where earlier ranges are yet to be made up for. */
  wasComplete: boolean
}

export type RangeRead = {
  blocks: readonly FullBlock[]
  arrivals: readonly Arrival[]
  isComplete: boolean
}

/** Reads a range of blocks whole: coins, tokens, and what contracts sent. */
export async function readRange(
  node: EvmNode,
  accounting: Accounting,
  { from, to, watched, contracts, wasComplete }: RangeWish,
): Promise<RangeRead> {
  const blocks = await readBlocks(node, from, to)
  if (watched.size === 0) return { blocks, arrivals: [], isComplete: wasComplete }
  const logs = await readTransferLogs(node, from.height + 1n, to, watched, contracts)
  const native = await readNativeMovements(node, blocks, watched)
  const tokens = await confirmLogs(node, blocks, logs)
  const arrivals = [...native.arrivals, ...tokens]
  const { departures } = native
  const range = { from, blocks, watched, arrivals, departures }
  return { blocks, ...(await accounting.settle(node, range, wasComplete)) }
}
