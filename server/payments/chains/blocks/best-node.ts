import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'

/** What one node shows of a chain beyond what is known, without contradicting what was read. */
export type NodeView<Node> = {
  node: Node
  height: bigint
  /** False if another node may well show more. */
  isEnough: boolean
  /** True if the node has different blocks from those read, and fewer, which are not read yet. */
  isShorter: boolean
}

/** @param believesShorter Whether a shorter branch is read too. */
type ReadNode<Node, View> = (
  node: Node,
  cursor: string | null,
  believesShorter: boolean,
) => Promise<View>

/**
 * For so long a shorter branch must be the best that the nodes have. One of them may be silent, and
 * one address may stand for many, of which a few have lost touch with the rest.
 */
const SHORTER_WAIT_MS = 60_000

/**
 * Reads on from a cursor through the node that has most. A shorter branch is believed only once
 * every reading of a minute has shown it, and no node has shown more of what was read.
 */
export function createBestNode<Node, View extends NodeView<Node>>(pool: NodePool<Node>) {
  /** The cursor at which a shorter branch was the best that the nodes had, and since when. */
  let shorterBranch: { cursor: string | null; since: number } | null = null

  return async function readFromBestNode(
    cursor: string | null,
    readNode: ReadNode<Node, View>,
  ): Promise<View> {
    const views = await pool.askUntil(
      (node) => readNode(node, cursor, false),
      ({ isEnough }) => isEnough,
    )
    const best = bestOf(views)
    if (!best.isShorter) {
      shorterBranch = null
      return best
    }
    const now = performance.now()
    if (shorterBranch?.cursor !== cursor) shorterBranch = { cursor, since: now }
    if (now - shorterBranch.since < SHORTER_WAIT_MS) return best
    return await readNode(best.node, cursor, true)
  }
}

function bestOf<View extends NodeView<unknown>>([first, ...others]: readonly [
  View,
  ...View[],
]): View {
  return others.reduce((best, each) => (isBetter(each, best) ? each : best), first)
}

function isBetter(one: NodeView<unknown>, other: NodeView<unknown>): boolean {
  if (one.isEnough !== other.isEnough) return one.isEnough
  if (one.height !== other.height) return one.height > other.height
  return !one.isShorter && other.isShorter
}
