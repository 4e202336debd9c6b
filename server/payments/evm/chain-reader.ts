import { cryptoAmount } from '#domain/money.ts'
import type { TransferRecord } from '#server/payments/transfer-record.ts'
import type { ChainReading, Log, SightedTransfer } from '#server/services.ts'
import type { Accounting } from './accounting.ts'
import type { Asset } from './ask-many.ts'
import { createBatchSize } from './batch-size.ts'
import { type Cursor, formatCursor, goBack, timeOf } from './cursor.ts'
import { findFork } from './find-fork.ts'
import type { Watched } from './movements.ts'
import type { Block, EvmNode } from './node.ts'
import { readOn } from './read-on.ts'

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
export type ChainReader = (node: EvmNode, head: Block, cursor: Cursor) => Promise<ChainReading>

export function createChainReader(options: Options): ChainReader {
  const { chain, log, record, accounting, contracts, paymentTokenOf } = options
  const batch = createBatchSize()
  /** What was known when a lower branch was last shown: it is believed when it is shown again. */
  let shownInPlaceOf: string | null = null
  let isBehind = false

  /** False for a branch that ends lower than what was known, the first time that it is shown. */
  function isBelieved(head: Block, known: Cursor): boolean {
    const isShown = head.number >= known.tip.height || shownInPlaceOf === known.tip.hash
    shownInPlaceOf = isShown ? null : known.tip.hash
    return isShown
  }

  function noteBehind(node: EvmNode, head: Block): void {
    const facts = { chain, node: node.host, height: head.number }
    if (!isBehind) {
      log.warn(facts, 'A node has fewer blocks than were already read. It is waited for')
    }
    isBehind = true
  }

  return async (node, head, known) => {
    const fork = await findFork(node, head, known)
    if (fork.kind === 'behind') {
      noteBehind(node, head)
      return unchangedReading(known)
    }
    isBehind = false
    const isReplaced = fork.kind === 'replaced'
    if (!isReplaced) shownInPlaceOf = null
    else if (!isBelieved(head, known)) return unchangedReading(known)

    const { height } = known.tip
    // After the end of the node's chain is known: nobody can have paid there to a later address.
    const watched = await options.loadWatched()
    const start = isReplaced ? goBack(known, fork.from) : known
    if (isReplaced) {
      const facts = { chain, after: fork.from.height, to: height }
      log.warn(facts, 'A reorganisation replaced blocks. They are read again')
    }
    const wish = { node, head, watched, contracts, accounting, batch, atLeast: height }
    const { cursor, arrivals } = await readOn(start, wish)
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
    const recorded = isReplaced ? await record.listAbove(chain, fork.from.height) : []
    return { ...unchangedReading(cursor), transfers: [...found, ...goneOf(recorded, found)] }
  }
}

/** What was recorded in blocks that the chain no longer has, and was not found again. */
function goneOf(
  recorded: readonly SightedTransfer[],
  found: readonly SightedTransfer[],
): SightedTransfer[] {
  const keyOf = ({ transactionHash, index }: SightedTransfer) => `${transactionHash} ${index}`
  const again = new Set(found.map(keyOf))
  return recorded
    .filter((transfer) => !again.has(keyOf(transfer)))
    .map((transfer) => ({ ...transfer, isGone: true }))
}

/** The reading of nothing beyond a cursor. */
export function unchangedReading(cursor: Cursor): ChainReading {
  const { height, time } = cursor.tip
  return { cursor: formatCursor(cursor), height, readThrough: time, transfers: [] }
}
