import { Unavailable } from '#domain/unavailable.ts'
import { createJsonRpc } from '#server/payments/chains/nodes/json-rpc.ts'
import { createNodePool, type NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { createEvmNode, type EvmNode } from './node.ts'

/** A node's answer that takes longer does not count. */
const ANSWER_WITHIN_MS = 10_000

/** The nodes of one EVM chain. */
export function createEvmPool(chainId: number, urls: readonly Secret[]): NodePool<EvmNode> {
  const nodes = urls.map((url) => createEvmNode(createJsonRpc(url, ANSWER_WITHIN_MS)))
  return createNodePool(nodes, async (node) => {
    const actual = await node.chainId()
    if (actual === chainId) return
    throw new Unavailable(`The node at ${node.host} is of chain ${actual}, not ${chainId}`)
  })
}
