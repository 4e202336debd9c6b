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
  const readShared = async (mark: Mark) => {
    const block = await read(mark.height)
    return block.hash.startsWith(mark.hash) ? block : null
  }
  const last = within.at(-1)
  if (last === undefined) return { kind: 'behind' }
  if ((await readShared(last)) !== null)
    return { kind: within.length === known.length ? 'grown' : 'behind' }
  // Two chains share their beginning, so its end can be found by binary search.
  let shared = -1
  let parted = within.length - 1
  // Never asked for again: a node that is several may answer from another branch.
  let common: Block | null = null
  while (parted - shared > 1) {
    const middle = (shared + parted) >> 1
    const mark = within[middle]
    const block = mark === undefined ? null : await readShared(mark)
    if (block === null) {
      parted = middle
    } else {
      shared = middle
      common = block
    }
  }
  // If they share nothing that is known, everything is read again from where reading once began.
  const block = common ?? (await read((within[0] ?? last).height))
  const { number: height, hash } = block
  return { kind: 'replaced', from: { height, hash, time: timeOf(block) } }
}
