import type { Accounting } from './accounting.ts'
import type { Watched } from '#server/payments/chains/watch-list.ts'
import { type Arrival, confirmLogs, readNativeMovements } from './movements.ts'
import { heightsBetween, requireChildren } from '#server/payments/chains/blocks/require-children.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { EvmNode, FullBlock } from './calls/node.ts'
import type { ReadTransferLogs } from './tokens/transfer-logs.ts'

export type RangeWish = {
  from: { height: bigint; hash: string }
  to: bigint
  watched: Watched
  readLogs: ReadTransferLogs
  /** False where earlier ranges are yet to be made up for. */
  wasComplete: boolean
  /** After which height the reading began. */
  readFrom: bigint
  /** What the same reading found before this range. */
  earlier: readonly Arrival[]
}

export type RangeRead = {
  blocks: readonly FullBlock[]
  arrivals: readonly Arrival[]
  isComplete: boolean
}

const CALLS_AT_ONCE = 8

/** Reads a range of blocks whole: coins, tokens, and what contracts sent. */
export async function readRange(
  node: EvmNode,
  accounting: Accounting,
  { from, to, watched, readLogs, wasComplete, readFrom, earlier }: RangeWish,
): Promise<RangeRead> {
  const heights = heightsBetween(from.height, to)
  const blocks = await mapWithConcurrency(heights, CALLS_AT_ONCE, node.blockWithTransactions)
  requireChildren(node.host, from, blocks)
  if (watched.size === 0) return { blocks, arrivals: [], isComplete: wasComplete }
  const logs = await readLogs(node, from.height + 1n, to, watched)
  const native = await readNativeMovements(node, blocks, watched)
  const tokens = await confirmLogs(node, blocks, logs)
  const arrivals = [...native.arrivals, ...tokens]
  const { departures } = native
  const range = { from, blocks, watched, readFrom, earlier, arrivals, departures }
  return { blocks, ...(await accounting.settle(node, range, wasComplete)) }
}
