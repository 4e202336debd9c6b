import type { PaymentToken } from '#domain/sale.ts'
import type { AddressBook } from '#server/payments/address-book.ts'
import type { Block } from '#server/payments/blocks/block.ts'
import { type Cursor, cursorAt, parseCursor } from '#server/payments/blocks/cursor.ts'
import { findStartBlock } from '#server/payments/blocks/find-start-block.ts'
import { createBestReading } from '#server/payments/blocks/showing.ts'
import { meetChain } from '#server/payments/meet-chain.ts'
import type { NodePool } from '#server/payments/node-pool.ts'
import { createPacing, type Pace } from '#server/payments/pacing.ts'
import { unhurried } from '#server/payments/unhurried.ts'
import { type ChainReading, type Log, Unavailable } from '#server/services.ts'
import { type ChainReader, unchangedReading, type UtxoReading } from './chain-reader.ts'
import type { UtxoNode } from './node.ts'
import type { ScriptWatch } from './watched-scripts.ts'

/** One coin's chain. */
export type UtxoChain = {
  /** Asks the nodes for the first time; logs what is wrong, and throws nothing. */
  contact(): Promise<void>
  /** Throws `Unavailable` where nobody would see a payment. */
  require(): void
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
/** A chain that was not read to its end for so long takes no new purchases. */
const SILENT_MAX_MS = 120_000
/** A block may name a time two hours off, and no two miners' clocks agree. */
const CLOCKS_APART_MS = 3 * 3_600_000

export function createUtxoChain(options: Options): UtxoChain {
  const { name, pool, paymentTokens, scripts, book, readChain, log } = options
  const pacing = createPacing(options.pace)
  const readBest = createBestReading<UtxoNode, UtxoReading>(pool)
  let caughtUpAt: number | null = null

  async function startBlock(node: UtxoNode, head: Block): Promise<Cursor> {
    await scripts.skipUnspent(node)
    const firstTakenAt = await book.firstTakenAt(name)
    return cursorAt(await findStartBlock(node, head, firstTakenAt, CLOCKS_APART_MS))
  }

  async function readNow(cursor: string | null): Promise<ChainReading> {
    if (!pacing.isDue()) {
      if (cursor === null) throw new Unavailable(`${name} is asked again in a moment`)
      return unchangedReading(parseCursor(cursor))
    }
    try {
      const { reading, isCaughtUp } = await readBest((node) =>
        readChain(node, async (head) =>
          cursor === null ? await startBlock(node, head) : parseCursor(cursor),
        ),
      )
      if (isCaughtUp) caughtUpAt = performance.now()
      pacing.noteSuccess(1)
      return reading
    } catch (error) {
      pacing.noteFailure()
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
    require() {
      if (caughtUpAt !== null && performance.now() - caughtUpAt <= SILENT_MAX_MS) return
      throw new Unavailable(`${name} has not been read to its end of late`)
    },
    read: unhurried(readNow, (cursor) => unchangedReading(parseCursor(cursor)), READING_WAIT_MS),
  }
}
