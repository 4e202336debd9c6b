import { NotYet, Unavailable, whyOf } from '#domain/unavailable.ts'
import type { ChainReading, TransferRecord } from '#server/ports/rail.ts'
import type { Log } from '#server/ports/runtime.ts'
import { createBestNode, type NodeView } from './blocks/best-node.ts'
import type { Block, BlockSource } from './blocks/block.ts'
import { parseCursor } from './blocks/cursor.ts'
import { findFork } from './blocks/find-fork.ts'
import type { HealthMonitor } from './chain-health.ts'
import type { ChainSource, NodeState, Progress } from './chain-source.ts'
import type { NodePool } from './nodes/node-pool.ts'
import { createPacing, type Pace } from './pacing.ts'
import { createBranchReader, readingOf } from './read-branch.ts'
import { readWithin } from './read-within.ts'

/*
 * A reorganisation replaces blocks that were read by others. The cursor holds the hashes of some
 * 130 blocks that were read, and each reading compares them with those of a node:
 *
 * - The node has all of them. The blocks after the last one are read.
 * - It has fewer, and no others: it is behind. Nothing is read of it, and the next node is asked.
 * - It has others, and not fewer. Those after the last common one are read, at least as far as was
 *   read before; what was recorded there and is not found again is reported as dropped.
 * - It has others, and fewer. So does a node that is cut off or restarts, so that such a shorter
 *   branch is read only where no node has had anything better to show for a minute
 *   (`best-node.ts`).
 *
 * A range of blocks is read whole or not at all, from one node, since several may disagree. Its
 * blocks must follow from one another and from the last one that was read, which confirms all that
 * was read before.
 */

export type ChainFollower = {
  /** Asks the nodes for the first time; logs what is wrong, and never throws. */
  connect(): Promise<void>
  /**
   * What has changed on the chain since `cursor`, as far as there is time to read it. If the next
   * block is awaited, each call checks whether it is there.
   */
  read(cursor: string | null, isAwaited?: boolean): Promise<ChainReading>
}

type Options<Node> = {
  source: ChainSource<Node>
  pool: NodePool<Node>
  /** The symbols of the coins used to buy on the chain. */
  symbols: readonly string[]
  pace: Pace
  health: HealthMonitor
  record: TransferRecord
  log: Log
}

type View<Node> = NodeView<Node> & { progress: Progress; reading: ChainReading }

const DEADLINE_MS = 5_000

/** Reads a chain at its own pace, through the node that has most of it. */
export function followChain<Node extends BlockSource>(options: Options<Node>): ChainFollower {
  const { source, pool, health, log } = options
  const { name: chain } = source
  const pacing = createPacing(options.pace)
  const readFromBestNode = createBestNode<Node, View<Node>>(pool)
  const readNode = createNodeReader(options)
  const unchanged = (cursor: string) => readingOf(source, parseCursor(cursor))

  /** A question that costs next to nothing, between two readings. */
  async function hasNewTip(cursor: string | null): Promise<boolean> {
    if (cursor === null || pacing.isFailing()) return false
    const known = parseCursor(cursor).tip.hash
    const isNew = pool.use(async (node) => (await node.head()).hash !== known)
    // A fault will show in the next reading.
    return await isNew.catch(() => false)
  }

  async function read(cursor: string | null, isAwaited = false): Promise<ChainReading> {
    if (!pacing.isDue() && !(isAwaited && (await hasNewTip(cursor)))) {
      if (cursor === null) throw new NotYet(`${chain} is asked again in a moment`)
      return unchanged(cursor)
    }
    try {
      const { progress, reading } = await readFromBestNode(cursor, readNode)
      const fault = source.faults[progress]
      if (fault === undefined) health.markHealthy()
      else health.markUnhealthy(fault)
      pacing.noteSuccess((await source.slowness?.()) ?? 1)
      return reading
    } catch (error) {
      pacing.noteFailure()
      health.markUnhealthy(whyOf(error))
      throw error
    }
  }

  return {
    read: readWithin(DEADLINE_MS, read, unchanged),
    async connect() {
      try {
        await source.connect()
        log.info({ chain, nodes: pool.hosts }, 'A chain is watched')
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        log.error(
          { chain, unavailable: options.symbols, why: error.message },
          'A chain cannot be reached. Nothing can be bought in its tokens until it can',
        )
      }
    },
  }
}

/** Reads from one node what it has beyond a cursor. */
function createNodeReader<Node extends BlockSource>(options: Options<Node>) {
  const { source, log } = options
  const { name: chain } = source
  const readBranch = createBranchReader(options)
  const behind = new WeakSet<Node>()

  function logBehind(node: Node, head: Block): void {
    if (behind.has(node)) return
    behind.add(node)
    const facts = { chain, node: node.host, height: head.number }
    log.warn(facts, 'A node has fewer blocks than were already read. The server waits for it')
  }

  return async (
    node: Node,
    cursor: string | null,
    believesShorter: boolean,
  ): Promise<View<Node>> => {
    const state = await source.look(node)
    const { head } = state
    const known = cursor === null ? await source.startAt(node, head) : parseCursor(cursor)
    const fork = await findFork(node, head, known)
    if (fork.kind === 'behind') logBehind(node, head)
    else behind.delete(node)
    const isShorter = fork.kind === 'replaced' && head.number < known.tip.height
    const view = { node, height: head.number, isShorter }
    if (fork.kind === 'behind' || (isShorter && !believesShorter)) {
      return { ...view, isEnough: false, progress: 'behind', reading: readingOf(source, known) }
    }
    if (fork.kind === 'replaced') {
      const facts = { chain, after: fork.from.height, to: known.tip.height }
      log.warn(facts, 'A reorganisation replaced blocks. They are read again')
    }
    const last = fork.kind === 'replaced' ? await lookAgain(source, node, state) : state
    const { progress, reading } = await readBranch(node, last, known, fork)
    const isEnough = progress !== 'stale' && progress !== 'silent'
    return { ...view, isEnough, progress, reading }
  }
}

/**
 * The blocks may have been replaced after the list was made: then what they held waits again, or is
 * in a block by the time the end is asked for once more.
 */
async function lookAgain<Node extends BlockSource>(
  source: ChainSource<Node>,
  node: Node,
  state: NodeState,
): Promise<NodeState> {
  const { head, pending } = state
  if (pending === null) return state
  const again = await source.look(node)
  if (again.head.number < head.number) {
    throw new Unavailable(`${node.host} has fewer blocks than a moment ago`)
  }
  const ids = new Set([...pending.ids, ...(again.pending?.ids ?? [])])
  return { ...again, pending: { ...pending, ids: [...ids] } }
}
