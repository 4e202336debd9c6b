/** What was found in a range of blocks, each with the height of its block. */
type Found = { height: bigint }

/** Finds what is wanted in the blocks from one height to another. */
export type ScanRange<Item extends Found> = (
  from: bigint,
  to: bigint,
  wanted: ReadonlySet<string>,
) => Promise<Item[]>

export type BlockScan<Item extends Found> = {
  /**
   * Everything that is found of `wanted`, and perhaps more, in the blocks after one height up to
   * another, the end of the chain unless it is `upTo`, as far as there is time: the rest is read in
   * later calls.
   * @returns `isWhole` is false while there is a rest, which may contain what was not found.
   */
  scan(
    after: bigint,
    head: bigint,
    wanted: ReadonlySet<string>,
    readRange: ScanRange<Item>,
    upTo?: bigint,
  ): Promise<{ items: Item[]; isWhole: boolean }>
}

type Options = {
  /** This many blocks may still be replaced: they are read again each time. */
  unsettled: bigint
  blocksARange: bigint
  /** How many more blocks one call reads. */
  newBlocks: bigint
}

type Memory<Item> = {
  after: bigint
  wanted: ReadonlySet<string>
  /** The last block that is not read again. */
  through: bigint
  items: Item[]
}

/**
 * How many questions are remembered: more than the batches of a month. They are asked in turn, so
 * that with one too many each would be forgotten before it is asked again.
 */
const REMEMBERED = 1_000

/**
 * Repeatedly looks for something in all blocks since a height, and reads each block that is deep
 * enough only once, even while less and less is wanted. What it has read is lost when the process
 * ends.
 */
export function createBlockScan<Item extends Found>(options: Options): BlockScan<Item> {
  const { unsettled, blocksARange, newBlocks } = options
  let memories: Memory<Item>[] = []

  return {
    async scan(after, head, wantedNow, readRange, upTo = head) {
      const known = memories.find(
        (each) => each.after === after && [...wantedNow].every((one) => each.wanted.has(one)),
      )
      const memory = known ?? { after, wanted: wantedNow, through: after, items: [] }
      const { wanted, through } = memory
      const items = [...memory.items]
      const settled = head - unsettled
      const end = least(upTo, through + unsettled + newBlocks)
      let kept: Memory<Item> = memory
      for (let from = through; from < end;) {
        const to = least(from + blocksARange, end)
        items.push(...(await readRange(from + 1n, to, wanted)))
        from = to
        const last = least(to, settled)
        if (last > kept.through) {
          kept = { ...memory, through: last, items: items.filter(({ height }) => height <= last) }
        }
      }
      memories = [kept, ...memories.filter((each) => each !== memory)].slice(0, REMEMBERED)
      return { items, isWhole: end >= upTo }
    },
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
