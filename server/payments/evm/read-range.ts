import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { heightsBetween, requireChildren } from '#server/payments/chains/blocks/block.ts'
import { timeOf } from '#server/payments/chains/blocks/cursor.ts'
import type { ChainSource } from '#server/payments/chains/chain-source.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { TransferRecord } from '#server/payments/chains/transfer-record.ts'
import type { WatchList } from '#server/payments/chains/watch-list.ts'
import type { Log, SightedTransfer } from '#server/services.ts'
import { createAccounting } from './accounting.ts'
import type { EvmNode } from './calls/node.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import { confirmLogs, readNativeMovements } from './movements.ts'
import { createTransferLogs } from './tokens/transfer-logs.ts'

type Options = {
  chain: string
  paymentTokens: readonly PaymentToken[]
  watchList: WatchList
  record: TransferRecord
  /** The contracts of the tokens that are what the sale file says. */
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
  const accounting = createAccounting({ ...options, sumRecorded })

  /** What each address was sent by what was recorded, and by the reading that is under way. */
  async function sumRecorded(asset: Asset, upTo: bigint, later: readonly SightedTransfer[]) {
    const tokenId = tokenIds.get(asset)
    if (tokenId === undefined) return null
    const sums = new Map<string, bigint>()
    const add = (address: string, amount: bigint) => {
      const key = address.toLowerCase()
      sums.set(key, (sums.get(key) ?? 0n) + amount)
    }
    const recorded = await record.sumUpTo(chain, upTo)
    for (const [address, of] of recorded) add(address, of.get(tokenId) ?? 0n)
    for (const { address, amount, paymentTokenId } of later) {
      if (paymentTokenId === tokenId) add(address, amount)
    }
    return sums
  }

  return async (node, made) => {
    const { from, to, isComplete } = made
    const heights = heightsBetween(from.height, to)
    const blocks = await mapWithConcurrency(heights, CALLS_AT_ONCE, (height) =>
      node.blockWithTransactions(height),
    )
    requireChildren(node.host, from, blocks)
    // Nobody can have paid here to an address that is given out after the chain's end was known.
    const watched = await watchList.load()
    if (watched.size === 0) return { blocks, transfers: [], isComplete }
    const logs = await readLogs(node, from.height + 1n, to, watched)
    const native = await readNativeMovements(node, blocks, watched)
    const tokens = await confirmLogs(node, blocks, logs)
    const arrivals = [...native.arrivals, ...tokens]
    const { departures } = native
    const range = { ...made, blocks, watched, arrivals, departures }
    const settled = await accounting.settle(node, range, isComplete)
    const transfers = settled.arrivals.map(
      ({ transactionHash, index, address, asset, ...rest }) => ({
        transactionHash,
        index,
        address: watched.get(address)?.address ?? address,
        paymentTokenId: tokenIds.get(asset) ?? null,
        amount: cryptoAmount(rest.amount),
        blockHeight: rest.block.number,
        sentAt: timeOf(rest.block),
        isGone: false,
      }),
    )
    return { blocks, transfers, isComplete: settled.isComplete }
  }
}
