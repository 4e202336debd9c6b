import { Unavailable } from '#server/services.ts'
import type { EvmNode, FullBlock } from './node.ts'
import { runLimited } from './run-limited.ts'

const CALLS_AT_ONCE = 8

/**
 * The blocks after `from` up to a height, each the child of the one before it. Throws `Unavailable`
 * where they do not follow from one another: the node has changed its mind meanwhile, or is several
 * that disagree.
 */
export async function readBlocks(
  node: EvmNode,
  from: { height: bigint; hash: string },
  to: bigint,
): Promise<FullBlock[]> {
  const heights = Array.from(
    { length: Number(to - from.height) },
    (_, place) => from.height + 1n + BigInt(place),
  )
  const blocks = await runLimited(heights, CALLS_AT_ONCE, (height) =>
    node.blockWithTransactions(height),
  )
  let parentHash = from.hash
  for (const [place, block] of blocks.entries()) {
    if (block.number !== heights[place] || block.parentHash !== parentHash) {
      throw new Unavailable(
        `Block ${heights[place]} of the node at ${node.host} does not follow from the one before it`,
      )
    }
    parentHash = block.hash
  }
  return blocks
}
