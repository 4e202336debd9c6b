import * as z from 'zod/mini'
import type { Block } from './node.ts'

/** How far a chain has been read, and by what its blocks are known again. */
export type Cursor = {
  /** The last block that was read. */
  tip: { height: bigint; hash: string; time: Date }
  /** Hashes of blocks before it, lowest first: each of the last ones, then ever fewer. */
  marks: readonly Mark[]
  /** False while balances were out of reach, so that what contracts sent is yet to be found. */
  isAccounted: boolean
}

/** The start of a block's hash is enough to know it again. */
export type Mark = { height: bigint; hash: string }

const MARK_LENGTH = 34

const Stored = z.object({
  height: z.string(),
  hash: z.string(),
  time: z.string(),
  marks: z.array(z.tuple([z.string(), z.string()])),
  isAccounted: z.boolean(),
})

export function parseCursor(text: string): Cursor {
  const { height, hash, time, marks, isAccounted } = z.parse(Stored, JSON.parse(text))
  return {
    tip: { height: BigInt(height), hash, time: new Date(time) },
    marks: marks.map(([height, hash]) => ({ height: BigInt(height), hash })),
    isAccounted,
  }
}

export function formatCursor({ tip, marks, isAccounted }: Cursor): string {
  const { height, hash, time } = tip
  const stored: z.infer<typeof Stored> = {
    height: String(height),
    hash,
    time: time.toISOString(),
    marks: marks.map((mark) => [String(mark.height), mark.hash]),
    isAccounted,
  }
  return JSON.stringify(stored)
}

/** The cursor of a chain of which one block alone is known. */
export function cursorAt(block: Block): Cursor {
  const { number: height, hash } = block
  return { tip: { height, hash, time: timeOf(block) }, marks: [], isAccounted: true }
}

/** The same cursor back at an earlier block, from which it is to be read on at once. */
export function goBack(cursor: Cursor, { height, hash }: { height: bigint; hash: string }): Cursor {
  const marks = cursor.marks.filter((mark) => mark.height < height)
  return { ...cursor, tip: { height, hash, time: cursor.tip.time }, marks }
}

export function timeOf({ timestamp }: Block): Date {
  return new Date(Number(timestamp) * 1000)
}

export function markOf({ height, hash }: { height: bigint; hash: string }): Mark {
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
