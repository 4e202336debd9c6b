import type { Log } from '#server/services.ts'
import type { Block, BlockSource } from './block.ts'
import { type Cursor, goBack } from './cursor.ts'
import { findFork } from './find-fork.ts'

/** Which of a node's blocks are to be read next. */
export type Branch<Known extends Cursor> = {
  /** The block after which to read on. */
  start: Known
  /** The last height that was known, up to which a new branch is to be read at once. */
  knownHeight: bigint
  /** True where blocks after `start` were known and have been replaced by others. */
  isReplaced: boolean
}

/**
 * Compares what is known of a chain with what a node has. Gives null where nothing is to be read:
 * the node has fallen behind, or shows a lower branch for the first time.
 */
export type FollowBranch = <Known extends Cursor>(
  node: BlockSource,
  head: Block,
  known: Known,
) => Promise<Branch<Known> | null>

export function createFollowBranch(chain: string, log: Log): FollowBranch {
  /** What was known when a lower branch was last shown: it is believed when it is shown again. */
  let shownInPlaceOf: string | null = null
  let isBehind = false

  /** False for a branch that ends lower than what was known, the first time that it is shown. */
  function isBelieved(head: Block, { tip }: Cursor): boolean {
    const isShown = head.number >= tip.height || shownInPlaceOf === tip.hash
    shownInPlaceOf = isShown ? null : tip.hash
    return isShown
  }

  function noteBehind(node: BlockSource, head: Block): void {
    const facts = { chain, node: node.host, height: head.number }
    if (!isBehind) {
      log.warn(facts, 'A node has fewer blocks than were already read. It is waited for')
    }
    isBehind = true
  }

  return async (node, head, known) => {
    const fork = await findFork(node, head, known)
    const { height: knownHeight } = known.tip
    if (fork.kind === 'behind') {
      noteBehind(node, head)
      return null
    }
    isBehind = false
    if (fork.kind === 'grown') {
      shownInPlaceOf = null
      return { start: known, knownHeight, isReplaced: false }
    }
    if (!isBelieved(head, known)) return null
    const facts = { chain, after: fork.from.height, to: knownHeight }
    log.warn(facts, 'A reorganisation replaced blocks. They are read again')
    return { start: goBack(known, fork.from), knownHeight, isReplaced: true }
  }
}
