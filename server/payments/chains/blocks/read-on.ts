import { Unavailable } from '#server/services.ts'
import type { BatchSize } from './batch-size.ts'
import type { Cursor } from './cursor.ts'

type Options<Known extends Cursor, Found> = {
  /** Where the node's chain ends. */
  end: bigint
  batch: BatchSize
  /** It goes on to this height whatever time that takes, or fails. */
  atLeast: bigint
  /** Reads the blocks after a cursor up to a height, all of them or none. */
  readRange(cursor: Known, to: bigint): Promise<{ cursor: Known; found: readonly Found[] }>
}

/** A reading goes on with further blocks for so long; other chains wait for it. */
const READING_MS = 2_500

/** Reads on from a cursor, range by range, until the chain's end or until the time is up. */
export async function readOn<Known extends Cursor, Found>(
  start: Known,
  { end, batch, atLeast, readRange }: Options<Known, Found>,
): Promise<{ cursor: Known; found: readonly Found[] }> {
  const startedAt = performance.now()
  let cursor = start
  let found: readonly Found[] = []
  while (cursor.tip.height < end) {
    const { height } = cursor.tip
    const isEnough = height > start.tip.height && height >= atLeast
    if (isEnough && performance.now() - startedAt > READING_MS) break
    const wished = height + BigInt(batch.current())
    const begunAt = performance.now()
    try {
      const read = await readRange(cursor, wished < end ? wished : end)
      cursor = read.cursor
      found = [...found, ...read.found]
    } catch (error) {
      batch.noteFailure()
      // What was read before is not lost; the rest is tried again by itself.
      if (isEnough && error instanceof Unavailable) break
      throw error
    }
    batch.noteSuccess(performance.now() - begunAt)
  }
  return { cursor, found }
}
