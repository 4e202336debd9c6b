import { heightsBetween, least } from '#server/payments/chains/blocks/block.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { PaidTransfer } from '#server/ports/payouts.ts'
import type { Coin } from './coins.ts'
import { requireHeight } from './find-payouts.ts'
import type { UtxoNode } from './node.ts'

/** A reorganisation may put a transaction into a block a little before or after its former one. */
const BLOCKS_BEFORE = 20n
const BLOCKS_AFTER = 100n

/**
 * The ids of transfers that are on the chain no more. Without an index, a node knows a transaction
 * by the block that has it, while it waits, and by an output that is unspent. Throws if the node
 * does not keep the block in question.
 */
export async function findGone(
  node: UtxoNode,
  coin: Coin,
  paid: readonly PaidTransfer[],
  readHeight: bigint,
): Promise<string[]> {
  const { number: head } = await node.head()
  requireHeight(node, coin, head, readHeight)
  const transactions = [...Map.groupBy(paid, ({ transactionHash: hash }) => hash)]
  const gone = await mapWithConcurrency(transactions, 1, async ([hash, transfers]) => {
    const height = transfers[0]?.height ?? head
    if ((await node.sent(hash)) !== null) return []
    for (const { index } of transfers) {
      if ((await node.unspent(hash, index)) !== null) return []
    }
    if (await isIn(node, hash, height, height)) return []
    const last = least(height + BLOCKS_AFTER, head)
    if (await isIn(node, hash, height - BLOCKS_BEFORE, last)) return []
    for (const block of await node.blocks([height])) await node.rawBlock(block.hash)
    return transfers.map(({ id }) => id)
  })
  return gone.flat()
}

async function isIn(node: UtxoNode, id: string, from: bigint, to: bigint): Promise<boolean> {
  const heights = heightsBetween(from - 1n, to)
  for (const { hash } of await node.blocks(heights.filter((height) => height >= 0n))) {
    if ((await node.idsIn(hash)).includes(id)) return true
  }
  return false
}
