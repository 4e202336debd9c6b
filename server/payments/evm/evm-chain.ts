import type { PaymentToken } from '#domain/sale/sale.ts'
import type { WatchList } from '#server/payments/chains/watch-list.ts'
import type { AddressBook, KeyIdentity } from '#server/ports/address-book.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { type Cursor, cursorAt, timeOf } from '#server/payments/chains/blocks/cursor.ts'
import { findStartBlock } from '#server/payments/chains/blocks/find-start-block.ts'
import { createHealthMonitor } from '#server/payments/chains/chain-health.ts'
import type { ChainSource, Rest } from '#server/payments/chains/chain-source.ts'
import { type ChainFollower, followChain } from '#server/payments/chains/follow-chain.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import type { PayoutRecord } from '#server/ports/payouts.ts'
import type { ChainHealth, TransferRecord } from '#server/ports/rail.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import type { EvmNode } from './calls/node.ts'
import { type ChainContact, createChainContact } from './chain-contact.ts'
import { chainIdOf, silentMaxMs } from './networks.ts'
import { createRangeReader } from './read-range.ts'

export type EvmChain = ChainFollower &
  Pick<ChainContact, 'require' | 'faultOf'> & { health(): ChainHealth }

export type EvmChainOptions = {
  name: string
  pool: NodePool<EvmNode>
  paymentTokens: readonly PaymentToken[]
  pace: Pace
  key: KeyIdentity
  derive(index: number): string
  /** The address that pays gas for the addresses, in lower case. */
  gasPayer: string
  watchList: WatchList
  book: AddressBook
  record: TransferRecord
  payees: PayoutRecord['coins']
  clock: Clock
  log: Log
}

/** How far the clocks of blocks and of this server may differ. */
const CLOCKS_APART_MS = 10 * 60_000
/** Up to this many addresses are read at the ordinary pace; more make it slower. */
const ADDRESSES_AT_PACE = 1_000
const SLOWNESS_MAX = 20
/** A block so deep is hardly replaced any more, and nodes have the balances of its time. */
const BLOCKS_BEFORE_FIRST = 64n
/** Nodes are compared if there is no block for so long, also of a chain that need not make any. */
const RESTING_MS = 120_000

export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { name: chain, paymentTokens, log } = options
  const symbols = paymentTokens.map(({ symbol }) => symbol)
  const health = createHealthMonitor({ chain, symbols, log })
  const contact = createChainContact({ ...options, health })
  const source = sourceOf(options, contact)
  return {
    ...followChain({ ...options, source, symbols, health }),
    require: contact.require,
    faultOf: contact.faultOf,
    health: health.current,
  }
}

function sourceOf(options: EvmChainOptions, contact: ChainContact): ChainSource<EvmNode> {
  const { name: chain, watchList, book, clock } = options
  const silentMs = silentMaxMs(chainIdOf(chain))
  const restOf = createHeadWatch(RESTING_MS, silentMs)
  return {
    name: chain,
    batch: { first: 64, max: 512 },
    faults: {
      behind: `The nodes of ${chain} have fewer blocks than were read, or other ones`,
      reading: `The end of ${chain} has not been reached yet, or the nodes lack balances there`,
      silent: `No block of ${chain} has come for so long that the nodes are taken to be cut off`,
    },
    connect: contact.connect,
    async look(node) {
      const head = await node.head()
      await contact.check(node, head)
      const ageMs = clock.now().getTime() - timeOf(head).getTime()
      const isOld = silentMs !== null && ageMs > silentMs + CLOCKS_APART_MS
      const restSince = ({ tip }: Cursor) => {
        // How long this process has known the block tells nothing of the time before its start.
        if (isOld) return 'silent'
        // A reading that found new blocks was worth asking this node for, however late they came.
        return head.hash === tip.hash ? restOf(node, head) : null
      }
      return { head, restSince, pending: null }
    },
    async startAt(node, head) {
      const firstTakenAt = await book.firstTakenAt(chain)
      const start = cursorAt(await findStartBlock(node, head, firstTakenAt, CLOCKS_APART_MS))
      const isOnlyOfOthers = firstTakenAt === null && (await watchList.load()).size > 0
      if (!isOnlyOfOthers || head.number <= BLOCKS_BEFORE_FIRST) return start
      // Somebody may have paid here before the chain had a node: whatever lies there was not found.
      const { tip } = cursorAt(await node.block(head.number - BLOCKS_BEFORE_FIRST))
      return { ...start, tip, incompleteSince: tip.time }
    },
    readRange: createRangeReader({ ...options, chain, contracts: contact.contracts }),
    async slowness() {
      const { size } = await watchList.load()
      return Math.min(Math.max(size / ADDRESSES_AT_PACE, 1), SLOWNESS_MAX)
    },
  }
}

/** Remembers the newest block of each node, and says how it rests if it has long been the same. */
type HeadWatch = (node: object, head: Block) => Rest | null

/**
 * @param restMs How long that is.
 * @param silentMs How long a node is cut off by then; null if the chain may rest for ever.
 */
export function createHeadWatch(restMs: number, silentMs: number | null): HeadWatch {
  const heads = new WeakMap<object, { hash: string; since: number }>()

  return (node, { hash }) => {
    const now = performance.now()
    const known = heads.get(node)
    if (known?.hash !== hash) {
      heads.set(node, { hash, since: now })
      return null
    }
    const sameMs = now - known.since
    if (silentMs !== null && sameMs > silentMs) return 'silent'
    return sameMs > restMs ? 'stale' : null
  }
}
