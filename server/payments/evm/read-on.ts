import { Unavailable } from '#server/services.ts'
import type { Accounting } from './accounting.ts'
import type { Asset } from './ask-many.ts'
import type { BatchSize } from './batch-size.ts'
import { type Cursor, cursorAt, markOf, thinMarks } from './cursor.ts'
import type { Arrival, Watched } from './movements.ts'
import type { Block, EvmNode } from './node.ts'
import { readRange } from './read-range.ts'

type Options = {
  node: EvmNode
  /** Where the node's chain ends. */
  head: Block
  watched: Watched
  /** The contracts of the sale's tokens. */
  contracts: readonly Asset[]
  accounting: Accounting
  batch: BatchSize
  /** It goes on to this height whatever time that takes, or fails. */
  atLeast: bigint
}

/** A reading goes on with further blocks for so long; other chains wait for it. */
const READING_MS = 2_500

/** Reads on from a cursor, range by range, until the chain's end or until the time is up. */
export async function readOn(
  start: Cursor,
  { node, head, watched, contracts, accounting, batch, atLeast }: Options,
): Promise<{ cursor: Cursor; arrivals: readonly Arrival[] }> {
  const startedAt = performance.now()
  let cursor = start
  let arrivals: readonly Arrival[] = []
  while (cursor.tip.height < head.number) {
    const { tip, isAccounted } = cursor
    const isEnough = tip.height > start.tip.height && tip.height >= atLeast
    if (isEnough && performance.now() - startedAt > READING_MS) break
    const end = tip.height + BigInt(batch.current())
    const to = end < head.number ? end : head.number
    const begunAt = performance.now()
    try {
      const wish = { from: tip, to, watched, contracts, wasComplete: isAccounted }
      const read = await readRange(node, accounting, wish)
      cursor = moveOn(cursor, read.blocks, read.isComplete)
      arrivals = [...arrivals, ...read.arrivals]
    } catch (error) {
      batch.noteFailure()
      // What was read before is not lost; the rest is tried again by itself.
      if (isEnough && error instanceof Unavailable) break
      throw error
    }
    batch.noteSuccess(performance.now() - begunAt)
  }
  return { cursor, arrivals }
}

function moveOn(cursor: Cursor, blocks: readonly Block[], isAccounted: boolean): Cursor {
  const last = blocks.at(-1)
  if (last === undefined) return cursor
  const passed = blocks.slice(0, -1).map(({ number: height, hash }) => markOf({ height, hash }))
  const marks = thinMarks([...cursor.marks, markOf(cursor.tip), ...passed], last.number)
  return { ...cursorAt(last), marks, isAccounted }
}
