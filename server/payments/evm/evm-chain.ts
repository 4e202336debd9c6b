import type { PaymentToken } from '#domain/sale/sale.ts'
import type { AddressBook, KeyIdentity } from '#server/payments/chains/address-book.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { findStartBlock } from '#server/payments/chains/blocks/find-start-block.ts'
import { createHeadWatch } from '#server/payments/chains/blocks/head-watch.ts'
import { createBestReading } from '#server/payments/chains/blocks/showing.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { createPacing, type Pace } from '#server/payments/chains/pacing.ts'
import type { TransferRecord } from '#server/payments/chains/transfer-record.ts'
import { createStanding, type Standing } from '#server/payments/chains/standing.ts'
import { unhurried } from '#server/payments/chains/unhurried.ts'
import type { WatchList } from '#server/payments/chains/watch-list.ts'
import { type ChainReading, type ChainStanding, type Log, NotYet } from '#server/services.ts'
import { createAccounting } from './accounting.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import { type ChainContact, createChainContact } from './chain-contact.ts'
import {
  type ChainReader,
  createChainReader,
  type EvmReading,
  unchangedReading,
} from './chain-reader.ts'
import { evmCursorAt, parseEvmCursor } from './evm-cursor.ts'
import type { EvmNode } from './calls/node.ts'
import { skipUsedIndexes } from './skip-used-indexes.ts'

/** One chain of the rail. */
export type EvmChain = {
  /** Asks the nodes for the first time; logs what is wrong, and throws nothing. */
  contact(): Promise<void>
  /** Throws `Unavailable`, with the reason, where nothing can be bought in a token now. */
  require(paymentToken: PaymentToken): Promise<void>
  /** The same as far as it is known now; null where it can. */
  faultOf(paymentToken: PaymentToken): string | null
  standing(): ChainStanding
  read(cursor: string | null): Promise<ChainReading>
}

export type EvmChainOptions = {
  name: string
  pool: NodePool<EvmNode>
  /** Those of the sale that are on this chain. */
  paymentTokens: readonly PaymentToken[]
  pace: Pace
  key: KeyIdentity
  derive(index: number): string
  watchList: WatchList
  book: AddressBook
  record: TransferRecord
  log: Log
}

const READING_WAIT_MS = 5_000
/** Clocks of blocks and of this server may differ by so much. */
const CLOCKS_APART_MS = 10 * 60_000
/** So many addresses are looked after at the ordinary pace; more make it slower. */
const ADDRESSES_AT_PACE = 1_000
const STRETCH_MAX = 20
/** No chain has to make blocks, but the nodes of one are compared where one makes none for long. */
const RESTING_MS = 120_000

export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { name, pool, watchList, book } = options
  const pacing = createPacing(options.pace)
  const symbols = options.paymentTokens.map(({ symbol }) => symbol)
  const standing = createStanding({ chain: name, symbols, log: options.log })
  const contact = contactOf(options, standing)
  const readChain = readerOf(options, contact)
  const readBest = createBestReading<EvmNode, EvmReading>(pool)
  const isResting = createHeadWatch(RESTING_MS)

  const startBlock = async (node: EvmNode, head: Block) =>
    await findStartBlock(node, head, await book.firstTakenAt(name), CLOCKS_APART_MS)

  async function readNow(cursor: string | null): Promise<ChainReading> {
    if (!pacing.isDue()) {
      if (cursor === null) throw new NotYet(`${name} is asked again in a moment`)
      return unchangedReading(parseEvmCursor(cursor))
    }
    try {
      const { reading, isUseful } = await readBest(async (node) => {
        const head = await node.head()
        await contact.check(node, head)
        const known =
          cursor === null ? evmCursorAt(await startBlock(node, head)) : parseEvmCursor(cursor)
        const showing = await readChain(node, head, known)
        const hasMore = head.hash !== known.tip.hash || !isResting(node, head)
        return { ...showing, isEnough: showing.isEnough && hasMore }
      })
      if (isUseful) standing.noteWorked()
      else
        standing.noteFault(`The nodes of ${name} have fewer blocks than were read, or other ones`)
      const addresses = (await watchList.load()).size
      pacing.noteSuccess(Math.min(Math.max(addresses / ADDRESSES_AT_PACE, 1), STRETCH_MAX))
      return reading
    } catch (error) {
      pacing.noteFailure()
      standing.noteFault(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  return {
    contact: contact.first,
    require: contact.require,
    faultOf: contact.faultOf,
    standing: standing.current,
    read: unhurried(readNow, (cursor) => unchangedReading(parseEvmCursor(cursor)), READING_WAIT_MS),
  }
}

function contactOf(options: EvmChainOptions, standing: Standing): ChainContact {
  const { name: chain, key, derive, book, log } = options
  return createChainContact({
    ...options,
    chain,
    standing,
    recheckMs: options.pace.recheckMs,
    async prepare(node, { hash }, contracts) {
      const skippedTo = await skipUsedIndexes(node, hash, contracts, book, key, derive)
      if (skippedTo === null) return
      const facts = { chain, key: key.name, nextIndex: skippedTo }
      log.warn(facts, 'The chain knows addresses that the database does not. They are skipped')
    },
  })
}

function readerOf(options: EvmChainOptions, contact: ChainContact): ChainReader {
  const { name: chain, paymentTokens, watchList, record, log } = options
  const assetOf = ({ contract }: PaymentToken): Asset => contract?.toLowerCase() ?? NATIVE
  const tokenIds = new Map(paymentTokens.map((token) => [assetOf(token), token.id]))
  return createChainReader({
    chain,
    log,
    record,
    contracts: [...tokenIds.keys()].filter((asset) => asset !== NATIVE),
    paymentTokenOf: (asset) => tokenIds.get(asset) ?? null,
    loadWatched: watchList.load,
    accounting: createAccounting({
      chain,
      log,
      contracts: contact.contracts,
      async sumRecorded(asset, height) {
        const tokenId = tokenIds.get(asset)
        if (tokenId === undefined) return null
        const sums = await record.sumUpTo(chain, height)
        return new Map(
          [...sums].map(([address, of]) => [address.toLowerCase(), of.get(tokenId) ?? 0n]),
        )
      },
    }),
  })
}
