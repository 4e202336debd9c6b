import {
  type Block,
  heightsBetween,
  requireChildren,
} from '#server/payments/chains/blocks/block.ts'
import type { ReadRangeOptions } from '#server/payments/chains/chain-source.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { Coin } from './coins.ts'
import { findPayments, mayConcern, type Payment } from './find-payments.ts'
import type { UtxoNode } from './node.ts'
import type { ScriptWatch } from './watched-scripts.ts'

const CALLS_AT_ONCE = 4

type MinedPayments = {
  blocks: readonly Block[]
  payments: readonly (Payment & { block: Block })[]
}

/**
 * Reads consecutive blocks after one up to a height. If they show that an index was used that is
 * still to be given out, it is skipped, and they are compared with the next.
 */
export async function readRange(
  node: UtxoNode,
  { output }: Coin,
  scripts: ScriptWatch,
  { from, to }: ReadRangeOptions,
): Promise<MinedPayments> {
  const blocks = await node.blocks(heightsBetween(from.height, to))
  requireChildren(node.host, from, blocks)
  for (;;) {
    const watched = await scripts.load()
    const found = await mapWithConcurrency(blocks, CALLS_AT_ONCE, async (block) => {
      if (!mayConcern(await node.rawBlock(block.hash), output, watched)) return null
      return { block, ...findPayments(await node.transactionsOf(block.hash), watched) }
    })
    const concerned = found.filter((findings) => findings !== null)
    const used = concerned.flatMap(({ usedAhead }) => usedAhead ?? [])
    if (used.length > 0) {
      await scripts.skipPast(Math.max(...used))
      continue
    }
    const payments = concerned.flatMap(({ block, payments }) =>
      payments.map((payment) => ({ ...payment, block })),
    )
    return { blocks, payments }
  }
}
