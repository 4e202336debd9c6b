import { Unavailable } from '#server/services.ts'
import type { EvmNode } from './node.ts'

/** The nodes of one chain, of which one is asked and the others stand in. */
export type NodePool = {
  hosts: readonly string[]
  /**
   * Does something with one node from beginning to end, so that what several say is never mixed;
   * with the next one where that fails. Throws `Unavailable` where none can do it.
   */
  use<Result>(work: (node: EvmNode) => Promise<Result>): Promise<Result>
}

/** A node of another chain is never worked with, whatever it answers. */
export function createNodePool(nodes: readonly EvmNode[], chainId: number): NodePool {
  let preferred = 0

  async function requireChain(node: EvmNode): Promise<void> {
    const actual = await node.chainId()
    if (actual === chainId) return
    throw new Unavailable(`The node at ${node.host} is of chain ${actual}, not ${chainId}`)
  }

  return {
    hosts: nodes.map(({ host }) => host),
    async use(work) {
      const reasons: string[] = []
      for (let tried = 0; tried < nodes.length; tried += 1) {
        const node = nodes[preferred]
        if (node === undefined) break
        try {
          await requireChain(node)
          return await work(node)
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error
          reasons.push(error.message)
          preferred = (preferred + 1) % nodes.length
        }
      }
      throw new Unavailable(reasons.join('. '))
    },
  }
}
