import { heightsBetween, requireChildren } from '#server/payments/chains/blocks/require-children.ts'
import { runLimited } from '#server/payments/chains/run-limited.ts'
import type { EvmNode, FullBlock } from './calls/node.ts'

const CALLS_AT_ONCE = 8

/** The blocks after `from` up to a height, which follow from one another. */
export async function readBlocks(
  node: EvmNode,
  from: { height: bigint; hash: string },
  to: bigint,
): Promise<FullBlock[]> {
  const blocks = await runLimited(heightsBetween(from.height, to), CALLS_AT_ONCE, (height) =>
    node.blockWithTransactions(height),
  )
  requireChildren(node.host, from, blocks)
  return blocks
}
