import { Unavailable } from '#domain/unavailable.ts'
import type {
  ChainReading,
  SightedMovement,
  SightedTransfer,
  TransferRecord,
} from '#server/ports/rail.ts'
import { least } from './blocks/block.ts'
import { type Cursor, formatCursor, foundThroughOf, goBack, moveOn } from './blocks/cursor.ts'
import type { Fork } from './blocks/find-fork.ts'
import type { ChainSource, NodeState, PendingList, PendingRead, Progress } from './chain-source.ts'
import { diffTransfers } from './diff-transfers.ts'

type Options<Node> = { source: ChainSource<Node>; record: TransferRecord }

/** How long a reading continues with further blocks, during which other chains wait for it. */
const READING_MS = 2_500
const QUICK_MS = 1_500
const SLOW_MS = 4_000
/** A payment reaches all nodes within seconds. */
const SPREADING_MS = 60_000

/**
 * Reads from one node from where its chain departs from the known one, as many blocks at a time as
 * the node returns quickly, until its chain ends or the time is up.
 */
export function createBranchReader<Node>({ source, record }: Options<Node>) {
  const { batch } = source
  let batchSize = batch.first

  return async (
    node: Node,
    { head, restSince, pending }: NodeState,
    known: Cursor,
    fork: Fork,
  ): Promise<{ progress: Progress; reading: ChainReading }> => {
    const startedAt = performance.now()
    const isReplaced = fork.kind === 'replaced'
    let cursor = isReplaced ? goBack(known, fork.from) : known
    const readFrom = cursor.tip.height
    const mined: SightedTransfer[] = []
    let moved: readonly SightedMovement[] | null = null
    while (cursor.tip.height < head.number) {
      const { tip: from } = cursor
      const isComplete = cursor.incompleteSince === null
      const foundThrough = foundThroughOf(cursor)
      const isEnough = from.height > readFrom && from.height >= known.tip.height
      const begunAt = performance.now()
      if (isEnough && begunAt - startedAt > READING_MS) break
      const to = least(from.height + BigInt(batchSize), head.number)
      try {
        const gas = (moved ?? []).filter(({ kind }) => kind === 'gas')
        const range = { from, to, isComplete, foundThrough, readFrom, earlier: [...mined, ...gas] }
        const { blocks, transfers, ...found } = await source.readRange(node, range)
        const incompleteSince = found.isComplete ? null : foundThrough
        cursor = { ...moveOn(cursor, blocks), incompleteSince }
        mined.push(...transfers)
        if (found.movements !== undefined) moved = [...(moved ?? []), ...found.movements]
      } catch (error) {
        // Whatever the reason: the range may have been too large.
        batchSize = Math.max(batchSize >> 1, 1)
        // What was read before is not lost; the rest is retried later.
        if (isEnough && error instanceof Unavailable) break
        throw error
      }
      const tookMs = performance.now() - begunAt
      if (tookMs < QUICK_MS) batchSize = Math.min(batchSize * 2, batch.max)
      if (tookMs > SLOW_MS) batchSize = Math.max(batchSize >> 1, 1)
    }

    const isAtEnd = cursor.tip.hash === head.hash
    const { transfers, isAllListedRead, noteStored } = await findChanges(
      { source, record },
      { node, isAtEnd, isReplaced, readFrom, mined, pending },
    )
    const isRead = isAtEnd && cursor.incompleteSince === null
    const progress = isRead ? (restSince(known) ?? 'current') : 'reading'
    const isAllRead = progress === 'current' && isAllListedRead
    const changes = cursor.changes + (transfers.length > 0 ? 1 : 0)
    const to = { ...cursor, changes }
    const reading = readingOf(source, to, transfers, isAllRead ? pending : null)
    const movements = moved === null ? {} : { movements: { above: readFrom, found: moved } }
    return { progress, reading: { ...reading, ...movements, ...(noteStored && { noteStored }) } }
  }
}

type Read<Node> = Pick<NodeState, 'pending'> & {
  node: Node
  isAtEnd: boolean
  isReplaced: boolean
  readFrom: bigint
  mined: readonly SightedTransfer[]
}

/** Reads what waits, at the end of the chain, and compares all that was found with the record. */
async function findChanges<Node>(
  { source, record }: Options<Node>,
  { node, isAtEnd, isReplaced, readFrom, mined, pending }: Read<Node>,
): Promise<{
  transfers: SightedTransfer[]
  isAllListedRead: boolean
  noteStored: PendingRead['noteStored']
}> {
  const mayHaveChanged = isReplaced || pending !== null
  const recorded = mayHaveChanged ? await record.listAbove(source.name, readFrom) : []
  const unmined = recorded.filter(({ blockHeight }) => blockHeight === null)
  const waiting =
    isAtEnd && pending !== null ? await source.readPending?.(node, pending.ids, unmined) : undefined
  const transfers = diffTransfers({
    recorded,
    mined,
    pending: waiting?.transfers ?? [],
    pendingIds: new Set([...(pending?.ids ?? []), ...(waiting?.forgotten ?? [])]),
    unseenIds: new Set(waiting?.unseen),
    isWhole: isAtEnd && waiting?.isWhole !== false,
  })
  const isAllListedRead = waiting?.isWhole === true
  return { transfers, isAllListedRead, noteStored: waiting?.noteStored }
}

/** @param pending What waits for a block, if all of it was read, as well as all blocks. */
export function readingOf(
  source: Pick<ChainSource<never>, 'readPending'>,
  cursor: Cursor,
  transfers: readonly SightedTransfer[] = [],
  pending: PendingList | null = null,
): ChainReading {
  const { height } = cursor.tip
  // In chains where payments wait for blocks, a payment missing from the blocks may be waiting,
  // unseen. If both were read completely, everything sent in time is in a block or waiting by now.
  const pendingThrough = pending === null ? 0 : pending.listedAt.getTime() - SPREADING_MS
  const readThrough =
    source.readPending === undefined ? foundThroughOf(cursor) : new Date(pendingThrough)
  return { cursor: formatCursor(cursor), height, readThrough, transfers }
}
