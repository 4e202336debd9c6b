import { Unavailable } from '#server/services.ts'
import type { Block } from './block.ts'

/** The heights after one up to another. */
export function heightsBetween(from: bigint, to: bigint): bigint[] {
  return Array.from({ length: Number(to - from) }, (_, place) => from + 1n + BigInt(place))
}

/**
 * Throws `Unavailable` where blocks are not those that follow `from`, each the child of the one
 * before it: the node has changed its mind meanwhile, or is several that disagree.
 */
export function requireChildren(
  host: string,
  from: { height: bigint; hash: string },
  blocks: readonly Block[],
): void {
  let { height, hash } = from
  for (const block of blocks) {
    height += 1n
    if (block.number !== height || block.parentHash !== hash) {
      throw new Unavailable(
        `Block ${height} of the node at ${host} does not follow from the one before it`,
      )
    }
    hash = block.hash
  }
}
