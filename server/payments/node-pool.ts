import { Unavailable } from '#server/services.ts'

/** The nodes of one chain, of which one is asked and the others stand in. */
export type NodePool<Node> = {
  hosts: readonly string[]
  /**
   * Does something with one node from beginning to end, so that what several say is never mixed;
   * with the next one where that fails. Throws `Unavailable` where none can do it.
   */
  use<Result>(work: (node: Node) => Promise<Result>): Promise<Result>
}

/**
 * @param requireRight Throws `Unavailable` for a node of another chain, which is never worked with,
 * whatever it answers.
 */
export function createNodePool<Node extends { host: string }>(
  nodes: readonly Node[],
  requireRight: (node: Node) => Promise<void>,
): NodePool<Node> {
  let preferred = 0

  return {
    hosts: nodes.map(({ host }) => host),
    async use(work) {
      const reasons: string[] = []
      for (let tried = 0; tried < nodes.length; tried += 1) {
        const node = nodes[preferred]
        if (node === undefined) break
        try {
          await requireRight(node)
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
