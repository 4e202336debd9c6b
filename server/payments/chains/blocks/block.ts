import { Unavailable } from '#domain/unavailable.ts'

/** What following a chain needs of a block, whichever chain it is. */
export type Block = {
  number: bigint
  hash: string
  parentHash: string
  /** In seconds. */
  timestamp: bigint
}

/** Anything that can be asked for the blocks of a chain. */
export type BlockSource = {
  host: string
  head(): Promise<Block>
  /** Throws `Unavailable` if there is no block of that height. */
  block(height: bigint): Promise<Block>
}

export type BlockId = { height: bigint; hash: string }

export const least = (one: bigint, other: bigint) => (one < other ? one : other)
export const greatest = (one: bigint, other: bigint) => (one > other ? one : other)

/** The heights after one up to another. */
export function heightsBetween(from: bigint, to: bigint): bigint[] {
  return Array.from({ length: Number(to - from) }, (_, place) => from + 1n + BigInt(place))
}

/**
 * Throws `Unavailable` unless the blocks follow `from`, each the child of the one before it: the
 * node has changed its mind meanwhile, or is several that disagree.
 */
export function requireChildren(host: string, from: BlockId, blocks: readonly Block[]): void {
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
