import type { Block } from './block.ts'

/** Remembers the newest block of each node. True where it has been the same for long. */
export type HeadWatch = (node: object, head: Block) => boolean

/** @param restMs How long that is. */
export function createHeadWatch(restMs: number): HeadWatch {
  const heads = new WeakMap<object, { hash: string; since: number }>()

  return (node, { hash }) => {
    const now = performance.now()
    const known = heads.get(node)
    if (known?.hash === hash) return now - known.since > restMs
    heads.set(node, { hash, since: now })
    return false
  }
}
