import type { Block, EvmNode } from './node.ts'

/** Clocks of blocks and of this server may differ by so much. */
const CLOCKS_APART_MS = 10 * 60_000

/**
 * The block after which reading begins: before any address was given out for the chain, or the
 * newest one where none was.
 */
export async function findStartBlock(
  node: EvmNode,
  head: Block,
  firstTakenAt: Date | null,
): Promise<Block> {
  if (firstTakenAt === null) return head
  const before = BigInt(Math.floor((firstTakenAt.getTime() - CLOCKS_APART_MS) / 1000))
  let low = 0n
  let high = head.number
  // The highest block that is older; the first one of all where none is.
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const block = await node.block(middle)
    if (block.timestamp < before) low = middle
    else high = middle - 1n
  }
  return low === head.number ? head : await node.block(low)
}
