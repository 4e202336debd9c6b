import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { AddressBook } from '#server/ports/address-book.ts'
import { cursorAt, timeOf } from '#server/payments/chains/blocks/cursor.ts'
import { findStartBlock } from '#server/payments/chains/blocks/find-start-block.ts'
import { createHealthMonitor, type HealthMonitor } from '#server/payments/chains/chain-health.ts'
import type { ChainSource } from '#server/payments/chains/chain-source.ts'
import { type ChainFollower, followChain } from '#server/payments/chains/follow-chain.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import type { SightedTransfer, TransferRecord } from '#server/ports/rail.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import type { Coin } from './coins.ts'
import type { Payment } from './find-payments.ts'
import { createMempool } from './mempool.ts'
import type { UtxoNode } from './node.ts'
import { readRange } from './read-range.ts'
import type { ScriptWatch } from './watched-scripts.ts'

export type UtxoChain = ChainFollower & { health: HealthMonitor }

type Options = {
  coin: Coin
  pool: NodePool<UtxoNode>
  /** The sale's payment token for the coin; empty if it has none now. */
  paymentTokens: readonly PaymentToken[]
  pace: Pace
  scripts: ScriptWatch
  book: AddressBook
  record: TransferRecord
  clock: Clock
  log: Log
}

const NO_BLOCK = 'No block has come for so long that the nodes are taken to be cut off'
const NOT_AT_END =
  'The end of the chain has not been reached yet, or the nodes have less than was read'
/** A block may name a time two hours off, and no two miners' clocks agree. */
const CLOCKS_APART_MS = 3 * 3_600_000

export function createUtxoChain(options: Options): UtxoChain {
  const { coin, paymentTokens, log } = options
  const symbols = paymentTokens.map(({ symbol }) => symbol)
  const health = createHealthMonitor({ chain: coin.chain, symbols, log })
  const source = sourceOf(options, health.markUnhealthy)
  return { health, ...followChain({ ...options, source, symbols, health }) }
}

/** @param report Called with why the first reading takes so long. */
function sourceOf(options: Options, report: (why: string) => void): ChainSource<UtxoNode> {
  const { coin, pool, scripts, book, clock } = options
  const mempool = createMempool(coin, scripts)
  const paymentTokenId = options.paymentTokens[0]?.id ?? null
  let isUnspentSkipped = false

  return {
    name: coin.chain,
    batch: { first: 16, max: 144 },
    faults: { behind: NOT_AT_END, reading: NOT_AT_END, silent: NO_BLOCK },
    connect: () => pool.use(async () => {}),
    async look(node) {
      const listedAt = clock.now()
      const ids = await node.waiting()
      const head = await node.head()
      const isSilent = listedAt.getTime() - timeOf(head).getTime() > coin.silentMaxMs
      return { head, restSince: () => (isSilent ? 'silent' : null), pending: { ids, listedAt } }
    },
    async startAt(node, head) {
      if (!isUnspentSkipped) await scripts.skipUnspent(node, report)
      isUnspentSkipped = true
      const firstTakenAt = await book.firstTakenAt(coin.chain)
      return cursorAt(await findStartBlock(node, head, firstTakenAt, CLOCKS_APART_MS))
    },
    async readRange(node, range) {
      const { blocks, payments } = await readRange(node, coin, scripts, range)
      const transfers = payments.map((payment) => {
        const { block } = payment
        const seen = { blockHeight: block.number, sentAt: timeOf(block) }
        return { ...transferOf(payment, seen, paymentTokenId), mayHaveWaited: true as const }
      })
      return { blocks, transfers, isComplete: true }
    },
    async readPending(node, ids, recorded) {
      const { payments, ...found } = await mempool.look(node, ids, recorded)
      const transfers = payments.map((payment) =>
        transferOf(payment, { blockHeight: null, sentAt: payment.since }, paymentTokenId),
      )
      return { transfers, ...found }
    },
  }
}

function transferOf(
  { transactionHash, index, address, isCoinbase, amount }: Payment,
  seen: Pick<SightedTransfer, 'blockHeight' | 'sentAt'>,
  paymentTokenId: string | null,
): SightedTransfer {
  return {
    transactionHash,
    index,
    address,
    // New coins cannot be spent for a hundred blocks: nobody pays with them.
    paymentTokenId: isCoinbase ? null : paymentTokenId,
    ...(isCoinbase && { foreign: { name: 'coinbase' } }),
    amount: cryptoAmount(amount),
    ...seen,
    isGone: false,
  }
}
