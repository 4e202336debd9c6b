import type { SightedMovement, SightedTransfer } from '#server/ports/rail.ts'
import type { Block, BlockId } from './blocks/block.ts'
import type { Cursor } from './blocks/cursor.ts'

/** What a chain provides so that it can be followed. */
export type ChainSource<Node> = {
  name: string
  /** How many blocks are read at a time: at first, and at most. */
  batch: { first: number; max: number }
  /** Why nobody would see a payment if a reading got only that far, as a sentence. */
  faults: Partial<Record<Progress, string>>
  /** Asks the nodes for the first time. */
  connect(): Promise<void>
  /** Throws `Unavailable` for a node that is not to be read. */
  look(node: Node): Promise<NodeState>
  /** Where the very first reading begins. */
  startAt(node: Node, head: Block): Promise<Cursor>
  readRange(node: Node, range: ReadRangeOptions): Promise<RangeRead>
  /**
   * Reads transactions that wait for a block. Left out if none are read.
   * @param recorded What was recorded as waiting.
   */
  readPending?(
    node: Node,
    ids: readonly string[],
    recorded: readonly SightedTransfer[],
  ): Promise<PendingRead>
  /** How much slower than its normal pace the chain is read; left out if it never is. */
  slowness?(): Promise<number>
}

/** How far a reading got: nowhere, since the nodes have less; not to the end; or to the end. */
export type Progress = 'behind' | 'reading' | Rest | 'current'

/**
 * No block has come for so long that another node may well have more (`stale`), or that the nodes
 * are taken to be cut off (`silent`).
 */
export type Rest = 'stale' | 'silent'

export type NodeState = {
  /** Where the node's chain ends. */
  head: Block
  /** How it rests if it has nothing more than was known before the reading; null if it does not. */
  restSince(known: Cursor): Rest | null
  /** Null if transactions that wait for a block are not read. */
  pending: PendingList | null
}

/**
 * Everything that waits for a block. It is listed before the end of the chain is asked for, so that
 * whatever has left the list by then is in a block.
 */
export type PendingList = { ids: readonly string[]; listedAt: Date }

export type ReadRangeOptions = {
  /** The block before the first. */
  from: BlockId
  to: bigint
  /** False if earlier ranges are still to be completed. */
  isComplete: boolean
  /** Up to when everything was found. */
  foundThrough: Date
  /** The height after which the reading began; everything up to there was recorded. */
  readFrom: bigint
  /** What the same reading found before this range, still to be recorded. */
  earlier: readonly Pick<SightedTransfer, 'address' | 'amount' | 'paymentTokenId' | 'foreign'>[]
}

export type RangeRead = {
  /** All of the range, each the child of the one before it. */
  blocks: readonly Block[]
  transfers: readonly SightedTransfer[]
  /** What left the addresses; left out if a chain's readings do not look for it. */
  movements?: readonly SightedMovement[]
  isComplete: boolean
}

export type PendingRead = {
  transfers: readonly SightedTransfer[]
  /** False if some transactions are left for the next time. */
  isWhole: boolean
  /** Transactions that still wait, although the node does not list them. */
  forgotten: readonly string[]
  /** Those that it does not list and that may still wait: whether they were replaced is unknown. */
  unseen: readonly string[]
  /** Called once what was read is recorded. */
  noteStored?(): void
}
