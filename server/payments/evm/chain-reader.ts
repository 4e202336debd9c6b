import { cryptoAmount } from '#domain/money.ts'
import { createBatchSize } from '#server/payments/chains/blocks/batch-size.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { moveOn, timeOf } from '#server/payments/chains/blocks/cursor.ts'
import { type Branch, createFollowBranch } from '#server/payments/chains/blocks/follow-branch.ts'
import { readOn } from '#server/payments/chains/blocks/read-on.ts'
import type { Showing } from '#server/payments/chains/blocks/showing.ts'
import { tellGone } from '#server/payments/chains/blocks/tell-gone.ts'
import type { TransferRecord } from '#server/payments/chains/transfer-record.ts'
import type { Watched } from '#server/payments/chains/watch-list.ts'
import type { ChainReading, Log } from '#server/services.ts'
import type { Accounting } from './accounting.ts'
import type { Asset } from './calls/read-balances.ts'
import { type EvmCursor, formatEvmCursor } from './evm-cursor.ts'
import type { Arrival } from './movements.ts'
import type { EvmNode } from './calls/node.ts'
import { readRange } from './read-range.ts'
import { createTransferLogs } from './tokens/transfer-logs.ts'

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

/** What a node has beyond a cursor, and whether it had what was known before. */
export type EvmReading = { reading: ChainReading; isUseful: boolean }

/** Reads what a node has beyond a cursor. `head` is where the node's chain ends. */
export type ChainReader = (
  node: EvmNode,
  head: Block,
  cursor: EvmCursor,
) => Promise<Showing<EvmReading>>

const BLOCKS_FIRST = 64
const BLOCKS_MAX = 512

export function createChainReader(options: Options): ChainReader {
  const { chain, log, record, accounting, contracts, paymentTokenOf } = options
  const batch = createBatchSize(BLOCKS_FIRST, BLOCKS_MAX)
  const followBranch = createFollowBranch(chain, log)
  const readLogs = createTransferLogs({ chain, log, contracts })

  async function readBranch(
    node: EvmNode,
    head: Block,
    { start, isReplaced, knownHeight }: Branch<EvmCursor>,
  ): Promise<ChainReading> {
    // After the end of the node's chain is known: nobody can have paid there to a later address.
    const watched = await options.loadWatched()
    const earlier: Arrival[] = []
    const { cursor, found: arrivals } = await readOn(start, {
      end: head.number,
      batch,
      atLeast: knownHeight,
      async readRange(cursor, to) {
        const { tip: from, isAccounted: wasComplete } = cursor
        const readFrom = start.tip.height
        const wish = { from, to, watched, readLogs, wasComplete, readFrom, earlier }
        const { blocks, arrivals, isComplete } = await readRange(node, accounting, wish)
        earlier.push(...arrivals)
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

  return async (node, head, known) =>
    await followBranch<EvmCursor, EvmReading>(node, head, known, {
      unchanged: { reading: unchangedReading(known), isUseful: false },
      read: async (branch) => ({ reading: await readBranch(node, head, branch), isUseful: true }),
    })
}

/** The reading of nothing beyond a cursor. */
export function unchangedReading(cursor: EvmCursor): ChainReading {
  const { height, time } = cursor.tip
  return { cursor: formatEvmCursor(cursor), height, readThrough: time, transfers: [] }
}
