import type { WatchList } from '#server/payments/chains/address-book.ts'
import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { heightsBetween, requireChildren } from '#server/payments/chains/blocks/block.ts'
import { timeOf } from '#server/payments/chains/blocks/cursor.ts'
import type { ChainSource } from '#server/payments/chains/chain-source.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { TransferRecord } from '#server/ports/rail.ts'
import type { EvmNode } from './calls/node.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import { confirmLogs, readNativeMovements } from './movements.ts'
import { createReadRecorded } from './old-states.ts'
import { createReconcile } from './reconcile.ts'
import { createTransferLogs } from './tokens/transfer-logs.ts'

type Options = {
  chain: string
  paymentTokens: readonly PaymentToken[]
  watchList: WatchList
  record: TransferRecord
  /** The contracts of the tokens that match the sale file. */
  contracts(): readonly Asset[]
  log: Log
}

const CALLS_AT_ONCE = 8

/** Reads a range of blocks whole: coins, tokens, and what contracts sent. */
export function createRangeReader(options: Options): ChainSource<EvmNode>['readRange'] {
  const { chain, paymentTokens, watchList, record, log } = options
  const assetOf = ({ contract }: PaymentToken): Asset => contract?.toLowerCase() ?? NATIVE
  const tokenIds = new Map(paymentTokens.map((token) => [assetOf(token), token.id]))
  const ofSale = [...tokenIds.keys()].filter((asset) => asset !== NATIVE)
  const readLogs = createTransferLogs({ chain, log, contracts: ofSale })
  const readRecorded = createReadRecorded({ chain, record, tokenIds, log })
  const reconcile = createReconcile({ contracts: options.contracts, readRecorded })

  return async (node, range) => {
    const { from, to, isComplete } = range
    const heights = heightsBetween(from.height, to)
    const blocks = await mapWithConcurrency(heights, CALLS_AT_ONCE, (height) =>
      node.blockWithTransactions(height),
    )
    requireChildren(node.host, from, blocks)
    // Loaded after the end of the chain is known: nobody can have paid there to a later address.
    const watched = await watchList.load()
    if (watched.size === 0) return { blocks, transfers: [], isComplete }
    const logs = await readLogs(node, from.height + 1n, to, watched)
    const { incoming: coins, outgoing } = await readNativeMovements(node, blocks, watched)
    const incoming = [...coins, ...(await confirmLogs(node, blocks, logs))]
    const moved = { blocks, watched, incoming, outgoing }
    const reconciled = await reconcile(node, { ...range, ...moved })
    const transfers = reconciled.incoming.map(({ address, asset, amount, block, ...known }) => ({
      ...known,
      address: watched.get(address)?.address ?? address,
      paymentTokenId: tokenIds.get(asset) ?? null,
      amount: cryptoAmount(amount),
      blockHeight: block.number,
      sentAt: timeOf(block),
      isGone: false,
    }))
    return { blocks, transfers, isComplete: reconciled.isComplete }
  }
}
