import type { Log } from '#server/services.ts'
import type { Block, BlockSource } from './block.ts'
import { type Cursor, goBack } from './cursor.ts'
import { findFork } from './find-fork.ts'
import type { Showing } from './showing.ts'

/** Which of a node's blocks are to be read next. */
export type Branch<Known extends Cursor> = {
  /** The block after which to read on. */
  start: Known
  /** The last height that was known, up to which a new branch is to be read at once. */
  knownHeight: bigint
  /** True where blocks after `start` were known and have been replaced by others. */
  isReplaced: boolean
}

/** What to do with the blocks of a node. */
export type Following<Known extends Cursor, Reading> = {
  /** The reading of nothing. */
  unchanged: Reading
  read(branch: Branch<Known>): Promise<Reading>
}

/**
 * Compares what is known of a chain with what a node has, and reads on. Nothing is read of a node
 * that has fallen behind, and nothing at once of a lower branch.
 */
export type FollowBranch = <Known extends Cursor, Reading>(
  node: BlockSource,
  head: Block,
  known: Known,
  following: Following<Known, Reading>,
) => Promise<Showing<Reading>>

export function createFollowBranch(chain: string, log: Log): FollowBranch {
  const behind = new WeakSet<BlockSource>()

  function noteBehind(node: BlockSource, head: Block): void {
    if (behind.has(node)) return
    behind.add(node)
    const facts = { chain, node: node.host, height: head.number }
    log.warn(facts, 'A node has fewer blocks than were already read. It is waited for')
  }

  return async (node, head, known, { unchanged, read }) => {
    const fork = await findFork(node, head, known)
    const height = head.number
    const { height: knownHeight, hash: inPlaceOf } = known.tip
    if (fork.kind === 'behind') {
      noteBehind(node, head)
      return { height, reading: unchanged, isEnough: false, lowerBranch: null }
    }
    behind.delete(node)
    if (fork.kind === 'grown') {
      const reading = await read({ start: known, knownHeight, isReplaced: false })
      return { height, reading, isEnough: true, lowerBranch: null }
    }
    const { from } = fork
    const readOther = async () => {
      const facts = { chain, after: from.height, to: knownHeight }
      log.warn(facts, 'A reorganisation replaced blocks. They are read again')
      return await read({ start: goBack(known, from), knownHeight, isReplaced: true })
    }
    if (height < knownHeight) {
      const lowerBranch = { inPlaceOf, read: readOther }
      return { height, reading: unchanged, isEnough: false, lowerBranch }
    }
    return { height, reading: await readOther(), isEnough: true, lowerBranch: null }
  }
}
