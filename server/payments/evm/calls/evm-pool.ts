import { Unavailable } from '#domain/unavailable.ts'
import { createJsonRpc, type JsonRpc } from '#server/payments/chains/nodes/json-rpc.ts'
import { createNodePool, type NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { createEvmNode, type EvmNode } from './node.ts'
import { createTransactionCalls, type TransactionCalls } from './transactions.ts'

/** A node that can also be asked for what has no function of its own. */
type WholeNode = EvmNode & TransactionCalls & { rpc: JsonRpc }

/** A node's answer that takes longer does not count. */
const ANSWER_WITHIN_MS = 10_000

/** The nodes of one EVM chain. */
export function createEvmPool(chainId: number, urls: readonly Secret[]): NodePool<WholeNode> {
  const nodes = urls.map((url) => {
    const rpc = createJsonRpc(url, ANSWER_WITHIN_MS)
    return { ...createEvmNode(rpc), ...createTransactionCalls(rpc), rpc }
  })
  return createNodePool(nodes, async (node) => {
    const actual = await node.chainId()
    if (actual === chainId) return
    throw new Unavailable(`The node at ${node.host} is of chain ${actual}, not ${chainId}`)
  })
}
