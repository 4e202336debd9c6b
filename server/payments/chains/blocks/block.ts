/** A block as far as following a chain needs it, whichever chain it is. */
export type Block = {
  number: bigint
  hash: string
  parentHash: string
  /** In seconds. */
  timestamp: bigint
}

/** Whoever can be asked for the blocks of a chain. */
export type BlockSource = {
  host: string
  /** Throws `Unavailable` where there is no block of that height. */
  block(height: bigint): Promise<Block>
}
