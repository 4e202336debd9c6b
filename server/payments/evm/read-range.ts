import { getAddress } from 'viem/utils'
import type { WatchList } from '#server/payments/chains/watch-list.ts'
import { isOwnCoin } from '#domain/chains/chain.ts'
import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { heightsBetween, requireChildren } from '#server/payments/chains/blocks/block.ts'
import { timeOf } from '#server/payments/chains/blocks/cursor.ts'
import type { ChainSource } from '#server/payments/chains/chain-source.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { PayoutRecord } from '#server/ports/payouts.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { SightedMovement, TransferRecord } from '#server/ports/rail.ts'
import type { EvmNode } from './calls/node.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import { confirmLogs, type Incoming, OWN_VALUE_INDEX, readNativeMovements } from './movements.ts'
import { createReadRecorded } from './old-states.ts'
import { createReconcile } from './reconcile.ts'
import { readForeignTokens } from './foreign-tokens.ts'
import { chainIdOf } from './networks.ts'
import { coinTransfersTo } from './payouts/coin-transfers.ts'
import { createTransferLogs } from './tokens/transfer-logs.ts'

type Options = {
  chain: string
  paymentTokens: readonly PaymentToken[]
  watchList: WatchList
  record: TransferRecord
  /** The contracts of the tokens that match the sale file. */
  contracts(): readonly Asset[]
  payees: Pick<PayoutRecord['coins'], 'listPayees' | 'keep'>
  /**
   * The address that pays gas for the addresses, in lower case: what comes from there is not a
   * payment.
   */
  gasPayer: string
  log: Log
}

const CALLS_AT_ONCE = 8

/** Reads a range of blocks completely: coins, tokens, and what contracts sent. */
export function createRangeReader(options: Options): ChainSource<EvmNode>['readRange'] {
  const { chain, paymentTokens, watchList, record, payees, gasPayer, log } = options
  const assetOf = ({ contract }: PaymentToken): Asset => contract?.toLowerCase() ?? NATIVE
  const tokenIds = new Map(paymentTokens.map((token) => [assetOf(token), token.id]))
  const ofSale = [...tokenIds.keys()].filter((asset) => asset !== NATIVE)
  const readLogs = createTransferLogs({ chain, log, contracts: ofSale })
  const readRecorded = createReadRecorded({ chain, record, tokenIds })
  const reconcile = createReconcile({ ...options, readRecorded })

  return async (node, range) => {
    const { from, to, isComplete } = range
    const heights = heightsBetween(from.height, to)
    const blocks = await mapWithConcurrency(heights, CALLS_AT_ONCE, (height) =>
      node.blockWithTransactions(height),
    )
    requireChildren(node.host, from, blocks)
    // Loaded after the end of the chain is known, both: nobody can have paid to a later address up
    // to there.
    await payees.keep(chain, coinTransfersTo(await payees.listPayees(chain), blocks))
    const watched = await watchList.load()
    if (watched.size === 0) return { blocks, transfers: [], movements: [], isComplete }
    // The chain's own coin is read from transactions and balances, and would be found twice.
    const logs = (await readLogs(node, from.height + 1n, to, watched)).filter(
      ({ address }) => !isOwnCoin(chainIdOf(chain), address),
    )
    const { incoming: coins, outgoing } = await readNativeMovements(node, blocks, watched)
    const tokens = await confirmLogs(node, blocks, logs, watched)
    const incoming = [...coins, ...tokens.incoming]
    const moved = { blocks, watched, incoming, outgoing }
    const reconciled = await reconcile(node, { ...range, ...moved })
    const isGas = ({ sender }: Incoming) => sender === gasPayer
    const sight = (each: Incoming) => ({
      transactionHash: each.transactionHash,
      index: each.index,
      address: watched.get(each.address)?.address ?? each.address,
      paymentTokenId: tokenIds.get(each.asset) ?? null,
      amount: cryptoAmount(each.amount),
      blockHeight: each.block.number,
      sentAt: each.sentAt ?? timeOf(each.block),
    })
    const strange = reconciled.incoming.filter(
      ({ asset }) => asset !== NATIVE && !tokenIds.has(asset),
    )
    const foreign = await readForeignTokens(node, strange, blocks.at(-1)?.hash ?? range.from.hash)
    const sightForeign = (each: Incoming) => {
      const known = foreign.get(each)
      if (tokenIds.has(each.asset)) return sight(each)
      const { token, amount } = known ?? { token: undefined, amount: each.amount }
      return {
        ...sight({ ...each, amount }),
        foreign: { name: each.asset, ...(token && { token }) },
      }
    }
    const transfers = reconciled.incoming
      .filter((each) => !isGas(each))
      .map((each) => ({ ...sightForeign(each), isGone: false }))
    const movements = [
      ...incoming.filter(isGas).map((each) => gasFrom(gasPayer, sight(each))),
      ...outgoing.map(({ to, fee, ...each }) =>
        leftTo(to, fee, sight({ ...each, asset: NATIVE, index: OWN_VALUE_INDEX })),
      ),
      // A stranger's token may claim that anybody sent it: its transfers are no money of ours.
      ...tokens.outgoing
        .filter(({ asset }) => tokenIds.has(asset))
        .map(({ to, ...each }) => leftTo(to, 0n, sight(each))),
    ]
    return { blocks, transfers, movements, isComplete: reconciled.isComplete }
  }
}

type Sight = Omit<SightedMovement, 'kind' | 'counterparty' | 'fee'>

/**
 * Coins that reached an address from the account that pays for sweeping it. Nodes name accounts in
 * lower case; people compare them as wallets show them, with the checksum of EIP-55.
 */
const gasFrom = (payer: string, sight: Sight): SightedMovement => ({
  ...sight,
  kind: 'gas',
  counterparty: getAddress(payer),
  fee: cryptoAmount(0n),
})

const leftTo = (to: string | null, fee: bigint, sight: Sight): SightedMovement => ({
  ...sight,
  kind: 'out',
  counterparty: to === null ? '' : getAddress(to),
  fee: cryptoAmount(fee),
})
