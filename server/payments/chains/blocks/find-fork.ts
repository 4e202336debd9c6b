import type { Block, BlockSource } from './block.ts'
import { type Cursor, type Mark, markOf, timeOf } from './cursor.ts'

/** Where a node's chain departs from the known one. */
export type Fork =
  /** The node has all that is known, and maybe more. */
  | { kind: 'grown' }
  /** The node has nothing different, only less: it has not caught up. */
  | { kind: 'behind' }
  /** The blocks after this one differ from the known ones. */
  | { kind: 'replaced'; from: Cursor['tip'] }

/** @param head The highest block that the node has. */
export async function findFork(
  node: BlockSource,
  head: Block,
  { tip, marks }: Cursor,
): Promise<Fork> {
  const known = [...marks, markOf(tip)]
  const within = known.filter(({ height }) => height <= head.number)
  const read = (height: bigint) => (height === head.number ? head : node.block(height))
  const isShared = async (mark: Mark) => (await read(mark.height)).hash.startsWith(mark.hash)
  const last = within.at(-1)
  if (last === undefined) return { kind: 'behind' }
  if (await isShared(last)) return { kind: within.length === known.length ? 'grown' : 'behind' }
  // Two chains share their beginning, so its end can be found by binary search.
  let shared = -1
  let parted = within.length - 1
  while (parted - shared > 1) {
    const middle = (shared + parted) >> 1
    const mark = within[middle]
    if (mark !== undefined && (await isShared(mark))) shared = middle
    else parted = middle
  }
  // If they share nothing that is known, everything is read again from where reading once began.
  const block = await read((within[shared] ?? within[0] ?? last).height)
  const { number: height, hash } = block
  return { kind: 'replaced', from: { height, hash, time: timeOf(block) } }
}
