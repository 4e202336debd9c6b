import { cryptoAmount } from '#domain/money.ts'
import { createBatchSize } from '#server/payments/chains/blocks/batch-size.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { type Cursor, formatCursor, moveOn, timeOf } from '#server/payments/chains/blocks/cursor.ts'
import { type Branch, createFollowBranch } from '#server/payments/chains/blocks/follow-branch.ts'
import { readOn } from '#server/payments/chains/blocks/read-on.ts'
import type { Showing } from '#server/payments/chains/blocks/showing.ts'
import type { TransferRecord } from '#server/payments/chains/transfer-record.ts'
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
export type UtxoReading = {
  reading: ChainReading
  isCaughtUp: boolean
  /** True where no block has come for so long that the node counts as cut off. */
  isSilent: boolean
}

type Seen = Pick<SightedTransfer, 'blockHeight' | 'sentAt'>

type Listed = { head: Block; waitingIds: readonly string[]; listedAt: Date }

/** @param startAt Where reading begins, once the end of the node's chain is known. */
export type ChainReader = (
  node: UtxoNode,
  startAt: (head: Block) => Promise<Cursor>,
) => Promise<Showing<UtxoReading>>

const BLOCKS_FIRST = 16
const BLOCKS_MAX = 144
/** A payment reaches all nodes within seconds. */
const SPREADING_MS = 60_000

export function createChainReader(options: Options): ChainReader {
  const { coin, log, clock, record, scripts } = options
  const batch = createBatchSize(BLOCKS_FIRST, BLOCKS_MAX)
  const followBranch = createFollowBranch(coin.chain, log)
  const mempool = createMempool(coin, scripts)

  const transferOf = (payment: Payment, seen: Seen): SightedTransfer => ({
    ...asTransfer(payment, options.paymentTokenId),
    ...seen,
  })

  async function readBranch(
    node: UtxoNode,
    { head, waitingIds, listedAt }: Listed,
    { start, knownHeight }: Branch<Cursor>,
  ): Promise<UtxoReading> {
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
      isSilent: isAtEnd && !isCurrent,
    }
  }

  return async (node, startAt) => {
    const listedAt = clock.now()
    // Before the end of the chain is known: what has left the list by then stands in a block.
    const waitingIds = await node.waiting()
    const head = await node.head()
    const known = await startAt(head)
    const showing = await followBranch(node, head, known, {
      unchanged: { reading: unchangedReading(known), isCaughtUp: false, isSilent: false },
      read: (branch) => readBranch(node, { head, waitingIds, listedAt }, branch),
    })
    return { ...showing, isEnough: showing.isEnough && !showing.reading.isSilent }
  }
}

function asTransfer(
  { transactionHash, index, address, isCoinbase, amount }: Payment,
  paymentTokenId: string | null,
): Omit<SightedTransfer, keyof Seen> {
  return {
    transactionHash,
    index,
    address,
    // New coins cannot be spent for a hundred blocks: nobody pays with them.
    paymentTokenId: isCoinbase ? null : paymentTokenId,
    amount: cryptoAmount(amount),
    isGone: false,
  }
}

/** What was sent in time stands in a block or waits by now, where all of both was read. */
function readUpTo(reading: ChainReading, listedAt: Date): ChainReading {
  return { ...reading, readThrough: new Date(listedAt.getTime() - SPREADING_MS) }
}

/** Blocks alone do not tell that nothing was sent: what was may wait, unseen, for a later one. */
const NOT_BY_BLOCKS = new Date(0)

/** The reading of nothing beyond a cursor. */
export function unchangedReading(cursor: Cursor): ChainReading {
  const { height } = cursor.tip
  return { cursor: formatCursor(cursor), height, readThrough: NOT_BY_BLOCKS, transfers: [] }
}
