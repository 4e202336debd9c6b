import { cryptoAmount } from '#domain/money.ts'
import { createBatchSize } from '#server/payments/blocks/batch-size.ts'
import type { Block } from '#server/payments/blocks/block.ts'
import { type Cursor, formatCursor, moveOn, timeOf } from '#server/payments/blocks/cursor.ts'
import { createFollowBranch } from '#server/payments/blocks/follow-branch.ts'
import { readOn } from '#server/payments/blocks/read-on.ts'
import type { TransferRecord } from '#server/payments/transfer-record.ts'
import type { ChainReading, Clock, Log, SightedTransfer } from '#server/services.ts'
import type { Coin } from './coins.ts'
import type { Payment } from './find-payments.ts'
import { createMempool } from './mempool.ts'
import type { UtxoNode } from './node.ts'
import { type MinedPayment, readRange } from './read-range.ts'
import { tellChanges } from './tell-changes.ts'
import type { ScriptWatch } from './watched-scripts.ts'

type Options = {
  coin: Coin
  log: Log
  clock: Clock
  record: TransferRecord
  scripts: ScriptWatch
  /** The coin as a payment token of the sale; null where it is none now. */
  paymentTokenId: string | null
}

/** What a node has beyond a cursor, and whether that is everything there is. */
export type CaughtUp = { reading: ChainReading; isCaughtUp: boolean }

/** @param startAt Where reading begins, once the end of the node's chain is known. */
export type ChainReader = (
  node: UtxoNode,
  startAt: (head: Block) => Promise<Cursor>,
) => Promise<CaughtUp>

const BLOCKS_FIRST = 16
const BLOCKS_MAX = 144
/** A payment reaches all nodes within seconds. */
const SPREADING_MS = 60_000

export function createChainReader(options: Options): ChainReader {
  const { coin, log, clock, record, scripts } = options
  const batch = createBatchSize(BLOCKS_FIRST, BLOCKS_MAX)
  const followBranch = createFollowBranch(coin.chain, log)
  const mempool = createMempool(coin, scripts)

  const transferOf = (
    payment: Payment,
    seen: Pick<SightedTransfer, 'blockHeight' | 'sentAt'>,
  ): SightedTransfer => ({
    transactionHash: payment.transactionHash,
    index: payment.index,
    address: payment.address,
    // New coins cannot be spent for a hundred blocks: nobody pays with them.
    paymentTokenId: payment.isCoinbase ? null : options.paymentTokenId,
    amount: cryptoAmount(payment.amount),
    isGone: false,
    ...seen,
  })

  return async (node, startAt) => {
    const listedAt = clock.now()
    // Before the end of the chain is known: what has left the list by then stands in a block.
    const waitingIds = await node.waiting()
    const head = await node.head()
    const known = await startAt(head)
    const branch = await followBranch(node, head, known)
    if (branch === null) return { reading: unchangedReading(known), isCaughtUp: false }
    const { start, knownHeight } = branch
    const { cursor, found } = await readOn<Cursor, MinedPayment>(start, {
      end: head.number,
      batch,
      atLeast: knownHeight,
      async readRange(cursor, to) {
        const { blocks, payments } = await readRange(node, coin, scripts, cursor.tip, to)
        return { cursor: moveOn(cursor, blocks), found: payments }
      },
    })
    const isAtEnd = cursor.tip.hash === head.hash
    const waiting = isAtEnd ? await mempool.look(node, waitingIds) : null
    const transfers = tellChanges({
      recorded: await record.listAbove(coin.chain, start.tip.height),
      mined: found.map((payment) => {
        const { block } = payment
        return transferOf(payment, { blockHeight: block.number, sentAt: timeOf(block) })
      }),
      waiting: (waiting?.payments ?? []).map((payment) =>
        transferOf(payment, { blockHeight: null, sentAt: payment.since }),
      ),
      waitingIds: new Set(waitingIds),
      isAtEnd,
    })
    const isCurrent = listedAt.getTime() - timeOf(head).getTime() <= coin.silentMaxMs
    const isCaughtUp = waiting !== null && isCurrent
    const reading = { ...unchangedReading(cursor), transfers }
    return {
      reading: isCaughtUp && waiting.isWhole ? readUpTo(reading, listedAt) : reading,
      isCaughtUp,
    }
  }
}

/** What was sent in time waits by now where it is in no block: no block has to be waited for. */
function readUpTo(reading: ChainReading, listedAt: Date): ChainReading {
  const readThrough = new Date(listedAt.getTime() - SPREADING_MS)
  return readThrough > reading.readThrough ? { ...reading, readThrough } : reading
}

/** The reading of nothing beyond a cursor. */
export function unchangedReading(cursor: Cursor): ChainReading {
  const { height, time } = cursor.tip
  return { cursor: formatCursor(cursor), height, readThrough: time, transfers: [] }
}
