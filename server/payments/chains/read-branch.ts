import { type ChainReading, type SightedTransfer, Unavailable } from '#server/services.ts'
import { type Cursor, formatCursor, goBack, moveOn } from './blocks/cursor.ts'
import type { Fork } from './blocks/find-fork.ts'
import type { ChainSource, NodeState, PendingList, Progress } from './chain-source.ts'
import { diffTransfers } from './diff-transfers.ts'
import type { TransferRecord } from './transfer-record.ts'

type Options<Node> = { source: ChainSource<Node>; record: TransferRecord }

/** A reading goes on with further blocks for so long; other chains wait for it. */
const READING_MS = 2_500
const QUICK_MS = 1_500
const SLOW_MS = 4_000
/** A payment reaches all nodes within seconds. */
const SPREADING_MS = 60_000

/**
 * Reads from one node on from where its chain and the known one part, as many blocks at a time as
 * the node gives quickly, until its chain ends or the time is up.
 */
export function createBranchReader<Node>({ source, record }: Options<Node>) {
  const { name: chain, batch } = source
  let batchSize = batch.first

  const grow = () => (batchSize = Math.min(batchSize * 2, batch.max))
  const shrink = () => (batchSize = Math.max(batchSize >> 1, 1))

  async function readMined(node: Node, end: bigint, start: Cursor, atLeast: bigint) {
    const startedAt = performance.now()
    const readFrom = start.tip.height
    const mined: SightedTransfer[] = []
    let cursor = start
    while (cursor.tip.height < end) {
      const { tip: from, isComplete } = cursor
      const isEnough = from.height > readFrom && from.height >= atLeast
      if (isEnough && performance.now() - startedAt > READING_MS) break
      const to = from.height + BigInt(batchSize) < end ? from.height + BigInt(batchSize) : end
      const begunAt = performance.now()
      try {
        const options = { from, to, isComplete, readFrom, earlier: mined }
        const range = await source.readRange(node, options)
        cursor = { ...moveOn(cursor, range.blocks), isComplete: range.isComplete }
        mined.push(...range.transfers)
      } catch (error) {
        // Whatever the reason: the range may have been too large.
        shrink()
        // What was read before is not lost; the rest is tried again by itself.
        if (isEnough && error instanceof Unavailable) break
        throw error
      }
      const tookMs = performance.now() - begunAt
      if (tookMs < QUICK_MS) grow()
      if (tookMs > SLOW_MS) shrink()
    }
    return { cursor, mined }
  }

  return async (
    node: Node,
    { head, isStale, pending }: NodeState,
    known: Cursor,
    fork: Fork,
  ): Promise<{ progress: Progress; reading: ChainReading }> => {
    const isReplaced = fork.kind === 'replaced'
    const start = isReplaced ? goBack(known, fork.from) : known
    const { cursor, mined } = await readMined(node, head.number, start, known.tip.height)
    const isAtEnd = cursor.tip.hash === head.hash
    const waiting =
      isAtEnd && pending !== null ? await source.readPending?.(node, pending.ids) : undefined
    const transfers = diffTransfers({
      recorded:
        isReplaced || pending !== null ? await record.listAbove(chain, start.tip.height) : [],
      mined,
      pending: waiting?.transfers ?? [],
      pendingIds: new Set(pending?.ids),
      isAtEnd,
    })
    const progress = !isAtEnd ? 'reading' : isStale ? 'stale' : 'current'
    const isAllRead = progress === 'current' && waiting?.isWhole === true
    return { progress, reading: readingOf(source, cursor, transfers, isAllRead ? pending : null) }
  }
}

/** @param pending Where all that waits was read as well as all blocks. */
export function readingOf(
  source: Pick<ChainSource<never>, 'readPending'>,
  { tip, ...cursor }: Cursor,
  transfers: readonly SightedTransfer[] = [],
  pending: PendingList | null = null,
): ChainReading {
  const { height, time } = tip
  // Where payments wait for blocks, what blocks lack may wait, unseen, for a later one. What was
  // sent in time stands in a block or waits by now, where all of both was read.
  const pendingThrough = pending === null ? 0 : pending.listedAt.getTime() - SPREADING_MS
  const readThrough = source.readPending === undefined ? time : new Date(pendingThrough)
  return { cursor: formatCursor({ tip, ...cursor }), height, readThrough, transfers }
}
