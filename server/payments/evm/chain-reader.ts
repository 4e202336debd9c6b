import { cryptoAmount } from '#domain/money.ts'
import { createBatchSize } from '#server/payments/blocks/batch-size.ts'
import type { Block } from '#server/payments/blocks/block.ts'
import { moveOn, timeOf } from '#server/payments/blocks/cursor.ts'
import { createFollowBranch } from '#server/payments/blocks/follow-branch.ts'
import { readOn } from '#server/payments/blocks/read-on.ts'
import { tellGone } from '#server/payments/blocks/tell-gone.ts'
import type { TransferRecord } from '#server/payments/transfer-record.ts'
import type { Watched } from '#server/payments/watch-list.ts'
import type { ChainReading, Log } from '#server/services.ts'
import type { Accounting } from './accounting.ts'
import type { Asset } from './ask-many.ts'
import { type EvmCursor, formatEvmCursor } from './evm-cursor.ts'
import type { EvmNode } from './node.ts'
import { readRange } from './read-range.ts'

type Options = {
  chain: string
  log: Log
  accounting: Accounting
  record: TransferRecord
  /** The contracts of the sale's tokens. */
  contracts: readonly Asset[]
  paymentTokenOf(asset: Asset): string | null
  loadWatched(): Promise<Watched>
}

/** Reads what a node has beyond a cursor. `head` is where the node's chain ends. */
export type ChainReader = (node: EvmNode, head: Block, cursor: EvmCursor) => Promise<ChainReading>

const BLOCKS_FIRST = 64
const BLOCKS_MAX = 512

export function createChainReader(options: Options): ChainReader {
  const { chain, log, record, accounting, contracts, paymentTokenOf } = options
  const batch = createBatchSize(BLOCKS_FIRST, BLOCKS_MAX)
  const followBranch = createFollowBranch(chain, log)

  return async (node, head, known) => {
    const branch = await followBranch(node, head, known)
    if (branch === null) return unchangedReading(known)
    // After the end of the node's chain is known: nobody can have paid there to a later address.
    const watched = await options.loadWatched()
    const { start, isReplaced, knownHeight } = branch
    const { cursor, found: arrivals } = await readOn(start, {
      end: head.number,
      batch,
      atLeast: knownHeight,
      async readRange(cursor, to) {
        const { tip: from, isAccounted: wasComplete } = cursor
        const wish = { from, to, watched, contracts, wasComplete }
        const { blocks, arrivals, isComplete } = await readRange(node, accounting, wish)
        return { cursor: { ...moveOn(cursor, blocks), isAccounted: isComplete }, found: arrivals }
      },
    })
    const found = arrivals.map((arrival) => ({
      transactionHash: arrival.transactionHash,
      index: arrival.index,
      address: watched.get(arrival.address)?.address ?? arrival.address,
      paymentTokenId: paymentTokenOf(arrival.asset),
      amount: cryptoAmount(arrival.amount),
      blockHeight: arrival.block.number,
      sentAt: timeOf(arrival.block),
      isGone: false,
    }))
    const recorded = isReplaced ? await record.listAbove(chain, start.tip.height) : []
    return { ...unchangedReading(cursor), transfers: [...found, ...tellGone(recorded, found)] }
  }
}

/** The reading of nothing beyond a cursor. */
export function unchangedReading(cursor: EvmCursor): ChainReading {
  const { height, time } = cursor.tip
  return { cursor: formatEvmCursor(cursor), height, readThrough: time, transfers: [] }
}
