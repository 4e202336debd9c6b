import { Unavailable } from '#domain/unavailable.ts'

/** The nodes of one chain, one of which is used while the others stand by. */
export type NodePool<Node> = {
  hosts: readonly string[]
  /**
   * Does something with one node from beginning to end, so that answers of several are never mixed;
   * with the next one if that fails. Throws `Unavailable` if none can do it.
   */
  use<Result>(work: (node: Node) => Promise<Result>): Promise<Result>
  /**
   * Does something with one node after the other, until a result is good enough. Returns the
   * results in that order, at least one: only the last can be good enough. Throws `Unavailable` if
   * none can do it.
   */
  askUntil<Result>(
    work: (node: Node) => Promise<Result>,
    isEnough: (result: Result) => boolean,
  ): Promise<readonly [Result, ...Result[]]>
}

/** After this long with another node, the first one is tried again: it may have more by now. */
const BACK_TO_FIRST_MS = 60_000

/**
 * @param requireRight Throws `Unavailable` for a node of another chain, which is never used,
 * whatever it answers.
 */
export function createNodePool<Node extends { host: string }>(
  nodes: readonly Node[],
  requireRight: (node: Node) => Promise<void>,
): NodePool<Node> {
  let preferred = 0
  let firstDueAt = 0

  /** The one that has worked recently, and then the others in order. */
  function inOrder(): Node[] {
    if (preferred !== 0 && performance.now() >= firstDueAt) prefer(0)
    return [...nodes.slice(preferred), ...nodes.slice(0, preferred)]
  }

  function prefer(place: number): void {
    if (preferred !== place) firstDueAt = performance.now() + BACK_TO_FIRST_MS
    preferred = place
  }

  const askUntil: NodePool<Node>['askUntil'] = async (work, isEnough) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    const reasons: string[] = []
    for (const node of inOrder()) {
      try {
        await requireRight(node)
        const result = await work(node)
        results.push(result)
        if (isEnough(result)) {
          prefer(nodes.indexOf(node))
          break
        }
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        reasons.push(error.message)
      }
    }
    if (isFilled(results)) return results
    throw new Unavailable(reasons.join('. '))
  }

  return {
    hosts: nodes.map(({ host }) => host),
    askUntil,
    use: async (work) => (await askUntil(work, () => true))[0],
  }
}

function isFilled<Item>(list: Item[]): list is [Item, ...Item[]] {
  return list.length > 0
}

/** Null if no node can do it now. */
export async function unlessUnavailable<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Unavailable) return null
    throw error
  }
}
