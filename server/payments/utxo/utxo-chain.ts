import type { PaymentToken } from '#domain/sale/sale.ts'
import type { AddressBook } from '#server/payments/chains/address-book.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { type Cursor, cursorAt, parseCursor } from '#server/payments/chains/blocks/cursor.ts'
import { findStartBlock } from '#server/payments/chains/blocks/find-start-block.ts'
import { createBestReading } from '#server/payments/chains/blocks/showing.ts'
import { meetChain } from '#server/payments/chains/meet-chain.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { createPacing, type Pace } from '#server/payments/chains/pacing.ts'
import { createStanding, silenceOf } from '#server/payments/chains/standing.ts'
import { unhurried } from '#server/payments/chains/unhurried.ts'
import {
  type ChainReading,
  type ChainStanding,
  type Log,
  NotYet,
  Unavailable,
} from '#server/services.ts'
import { type ChainReader, unchangedReading, type UtxoReading } from './chain-reader.ts'
import type { UtxoNode } from './node.ts'
import type { ScriptWatch } from './watched-scripts.ts'

/** One coin's chain. */
export type UtxoChain = {
  /** Asks the nodes for the first time; logs what is wrong, and throws nothing. */
  contact(): Promise<void>
  /** Why nobody would see a payment, a sentence; null where somebody would. */
  fault(): string | null
  /** Throws `Unavailable` for that reason. */
  require(): void
  standing(): ChainStanding
  read(cursor: string | null): Promise<ChainReading>
}

type Options = {
  name: string
  pool: NodePool<UtxoNode>
  paymentTokens: readonly PaymentToken[]
  pace: Pace
  scripts: ScriptWatch
  book: AddressBook
  readChain: ChainReader
  log: Log
}

const READING_WAIT_MS = 5_000
const NO_BLOCK = 'No block has come for so long that the nodes count as cut off'
const NOT_AT_END = 'The end of the chain is not reached yet, or the nodes have less than was read'
/** A block may name a time two hours off, and no two miners' clocks agree. */
const CLOCKS_APART_MS = 3 * 3_600_000

export function createUtxoChain(options: Options): UtxoChain {
  const { name, pool, paymentTokens, scripts, book, readChain, log } = options
  const pacing = createPacing(options.pace)
  const readBest = createBestReading<UtxoNode, UtxoReading>(pool)
  const symbols = paymentTokens.map(({ symbol }) => symbol)
  const standing = createStanding({ chain: name, symbols, log })
  const fault = () => silenceOf(name, standing.current())

  let isUnspentSkipped = false

  async function startBlock(node: UtxoNode, head: Block): Promise<Cursor> {
    if (!isUnspentSkipped) await scripts.skipUnspent(node, standing.noteFault)
    isUnspentSkipped = true
    const firstTakenAt = await book.firstTakenAt(name)
    return cursorAt(await findStartBlock(node, head, firstTakenAt, CLOCKS_APART_MS))
  }

  async function readNow(cursor: string | null): Promise<ChainReading> {
    if (!pacing.isDue()) {
      if (cursor === null) throw new NotYet(`${name} is asked again in a moment`)
      return unchangedReading(parseCursor(cursor))
    }
    try {
      const { reading, isCaughtUp, isSilent } = await readBest((node) =>
        readChain(node, async (head) =>
          cursor === null ? await startBlock(node, head) : parseCursor(cursor),
        ),
      )
      if (isCaughtUp) standing.noteWorked()
      else standing.noteFault(isSilent ? NO_BLOCK : NOT_AT_END)
      pacing.noteSuccess(1)
      return reading
    } catch (error) {
      pacing.noteFailure()
      standing.noteFault(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  return {
    contact: () =>
      meetChain({
        chain: name,
        hosts: pool.hosts,
        paymentTokens,
        log,
        contact: () => pool.use(async () => {}),
      }),
    fault,
    require() {
      const why = fault()
      if (why !== null) throw new Unavailable(why)
    },
    standing: standing.current,
    read: unhurried(readNow, (cursor) => unchangedReading(parseCursor(cursor)), READING_WAIT_MS),
  }
}
