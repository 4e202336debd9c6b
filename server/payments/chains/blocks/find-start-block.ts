import type { Block, BlockSource } from './block.ts'

/**
 * The block after which reading begins: before any address was given out for the chain, or the
 * newest one if none was.
 * @param clocksApartMs How far the clocks of blocks and of this server may differ.
 */
export async function findStartBlock(
  node: BlockSource,
  head: Block,
  firstTakenAt: Date | null,
  clocksApartMs: number,
): Promise<Block> {
  if (firstTakenAt === null) return head
  const before = BigInt(Math.floor((firstTakenAt.getTime() - clocksApartMs) / 1000))
  let low = 0n
  let high = head.number
  // The highest block that is older; the very first one if none is.
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const block = await node.block(middle)
    if (block.timestamp < before) low = middle
    else high = middle - 1n
  }
  return low === head.number ? head : await node.block(low)
}
