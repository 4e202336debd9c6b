import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'

/** What one node shows of a chain beyond what is known. */
export type Showing<Reading> = {
  /** Where the node's chain ends. */
  height: bigint
  /** It goes against nothing that was read before. */
  reading: Reading
  /** False where another node may well show more. */
  isEnough: boolean
  /** Other blocks than were read, and fewer; null where it shows none. */
  lowerBranch: LowerBranch<Reading> | null
}

type LowerBranch<Reading> = {
  /** The hash of the last block that was read. */
  inPlaceOf: string
  read(): Promise<Reading>
}

/** Reads on by the node that shows most. */
export type BestReading<Node, Reading> = (
  show: (node: Node) => Promise<Showing<Reading>>,
) => Promise<Reading>

/** While a node does not answer, a lower branch of the others is looked at for so long. */
const SILENCE_WAIT_MS = 60_000

/**
 * A lower branch is believed where it is shown by two readings in a row, and no other node that
 * answers has more of what was read. A node that is silent may have more: then it takes a minute.
 */
export function createBestReading<Node, Reading>(pool: NodePool<Node>): BestReading<Node, Reading> {
  /** What was known when a lower branch was the best that the nodes had to show, and since when. */
  let shown: { inPlaceOf: string; since: number } | null = null

  return async (show) => {
    const showings = await pool.askUntil(show, ({ isEnough }) => isEnough)
    const { reading, lowerBranch } = bestOf(showings)
    if (lowerBranch === null) {
      shown = null
      return reading
    }
    const { inPlaceOf } = lowerBranch
    const now = performance.now()
    if (shown?.inPlaceOf !== inPlaceOf) {
      shown = { inPlaceOf, since: now }
      return reading
    }
    const isAnySilent = showings.length < pool.hosts.length
    if (isAnySilent && now - shown.since < SILENCE_WAIT_MS) return reading
    return await lowerBranch.read()
  }
}

function bestOf<Reading>([first, ...others]: readonly [
  Showing<Reading>,
  ...Showing<Reading>[],
]): Showing<Reading> {
  return others.reduce((best, each) => (isBetter(each, best) ? each : best), first)
}

function isBetter<Reading>(one: Showing<Reading>, other: Showing<Reading>): boolean {
  if (one.isEnough !== other.isEnough) return one.isEnough
  if (one.height !== other.height) return one.height > other.height
  return one.lowerBranch === null && other.lowerBranch !== null
}
