import * as z from 'zod/mini'
import type { Block, BlockId } from './block.ts'

/** How far a chain has been read, and how its blocks are recognised. */
export type Cursor = {
  tip: { height: bigint; hash: string; time: Date }
  /** Hashes of blocks before it, lowest first: all of the last ones, then fewer and fewer. */
  marks: readonly Mark[]
  /** Up to when everything was found; null if nothing in the blocks read is yet to be found. */
  incompleteSince: Date | null
  /**
   * How many readings have reported transfers: where no block has come the cursor stays the same
   * otherwise, and a reading that began before such a report would undo it.
   */
  changes: number
}

/** The start of a block's hash is enough to recognise it. */
export type Mark = BlockId

const MARK_LENGTH = 34

const Stored = z.object({
  height: z.string(),
  hash: z.string(),
  time: z.string(),
  marks: z.array(z.tuple([z.string(), z.string()])),
  incompleteSince: z.nullable(z.string()),
  changes: z.optional(z.number()),
})

export function parseCursor(text: string): Cursor {
  const {
    height,
    hash,
    time,
    marks,
    incompleteSince: since,
    changes = 0,
  } = z.parse(Stored, JSON.parse(text))
  return {
    tip: { height: BigInt(height), hash, time: new Date(time) },
    marks: marks.map(([height, hash]) => ({ height: BigInt(height), hash })),
    incompleteSince: since === null ? null : new Date(since),
    changes,
  }
}

export function formatCursor({ tip, marks, incompleteSince, changes }: Cursor): string {
  const { height, hash, time } = tip
  const stored: z.infer<typeof Stored> = {
    height: String(height),
    hash,
    time: time.toISOString(),
    marks: marks.map((mark) => [String(mark.height), mark.hash]),
    incompleteSince: incompleteSince?.toISOString() ?? null,
    changes,
  }
  return JSON.stringify(stored)
}

export function cursorAt(block: Block): Cursor {
  const { number: height, hash } = block
  const tip = { height, hash, time: timeOf(block) }
  return { tip, marks: [], incompleteSince: null, changes: 0 }
}

/** Up to when everything that the chain has is known. */
export function foundThroughOf({ tip, incompleteSince }: Cursor): Date {
  return incompleteSince !== null && incompleteSince < tip.time ? incompleteSince : tip.time
}

/** The same cursor set back to an earlier block, from which reading continues at once. */
export function goBack(cursor: Cursor, tip: Cursor['tip']): Cursor {
  return { ...cursor, tip, marks: cursor.marks.filter(({ height }) => height < tip.height) }
}

/** The same cursor moved forward over the blocks that follow it. */
export function moveOn(cursor: Cursor, blocks: readonly Block[]): Cursor {
  const last = blocks.at(-1)
  if (last === undefined) return cursor
  const passed = blocks.slice(0, -1).map(({ number: height, hash }) => markOf({ height, hash }))
  const marks = thinMarks([...cursor.marks, markOf(cursor.tip), ...passed], last.number)
  return { ...cursor, tip: cursorAt(last).tip, marks }
}

export function timeOf({ timestamp }: Block): Date {
  return new Date(Number(timestamp) * 1000)
}

export function markOf({ height, hash }: BlockId): Mark {
  return { height, hash: hash.slice(0, MARK_LENGTH) }
}

/** How far apart marks are kept, by their distance from the tip: about 130 for any chain. */
const SPACINGS: readonly (readonly [distanceMax: bigint, spacing: bigint])[] = [
  [64n, 1n],
  [1_024n, 64n],
  [16_384n, 1_024n],
  [262_144n, 16_384n],
  [4_194_304n, 262_144n],
]
const FARTHEST_SPACING = 4_194_304n

/** The marks that are worth keeping once the tip has moved to `height`. */
export function thinMarks(marks: readonly Mark[], height: bigint): Mark[] {
  return marks.filter((mark, place) => {
    const distance = height - mark.height
    const spacing = SPACINGS.find(([max]) => distance <= max)?.[1] ?? FARTHEST_SPACING
    // The lowest is where reading began: nothing before it can matter.
    return place === 0 || mark.height % spacing === 0n
  })
}
