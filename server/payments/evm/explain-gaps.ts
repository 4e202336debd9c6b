import { type Asset, NATIVE } from './calls/read-balances.ts'
import { nameByBlock } from './networks.ts'
import { type Balances, findGaps, type Gap, locateGaps, type Range } from './gaps.ts'
import type { Arrival } from './movements.ts'
import type { EvmNode } from './calls/node.ts'
import { sumSent } from './tokens/transfer-logs.ts'

/** What the watched addresses held of an asset before a range and after it. */
export type Ends = {
  before: Balances
  after: Balances
  /** False where `before` is what was recorded, which knows nothing of what was sent on. */
  isExact: boolean
}

/**
 * The arrivals of an asset in a range as they really were: with what contracts sent, and without
 * what a token kept.
 * @param doubt Called before more of a token is believed than the node told of; it may throw.
 */
export async function explainGaps(
  node: EvmNode,
  range: Range,
  asset: Asset,
  { before, after, isExact }: Ends,
  doubt: () => void,
): Promise<Arrival[]> {
  const found = range.arrivals.filter((arrival) => arrival.asset === asset)
  const gaps = findGaps(range, asset, before, after)
  const more = gaps.filter(({ surplus }) => surplus > 0n)
  // Native coins never arrive in part, and tokens that only left are nobody's payment.
  const mayBeCut = isExact && asset !== NATIVE
  const less = gaps.filter(
    ({ surplus, address }) =>
      surplus < 0n && mayBeCut && found.some((arrival) => arrival.address === address),
  )
  if (more.length + less.length === 0) return found
  if (more.length > 0 && mayBeCut) doubt()

  const addresses = [...more, ...less].map(({ address }) => address)
  const own = (all: Balances) => new Map(addresses.map((each) => [each, all.get(each) ?? 0n]))
  let arrivals = found
  // What is older than the node's states goes to the first block whose state shows it. In a later
  // one it would be gone for good with that block, since the state before would have it already.
  for (const gap of await locateGaps(node, range, asset, own(before), own(after))) {
    if (gap.surplus > 0n) arrivals = [...arrivals, arrivalOf(range, gap, asset)]
    else if (mayBeCut) arrivals = await cut(node, arrivals, gap, asset)
  }
  return arrivals
}

/** What came without a transaction of its own. It is known by its block and its address. */
function arrivalOf({ watched }: Range, { address, surplus, block }: Gap, asset: Asset): Arrival {
  return {
    asset,
    address,
    amount: surplus,
    block,
    transactionHash: nameByBlock(block.hash, asset),
    index: Number(watched.get(address)?.id),
  }
}

/** Takes what never arrived off the last transfers of a gap; what was sent on is no loss. */
async function cut(
  node: EvmNode,
  arrivals: readonly Arrival[],
  { address, surplus, after, block }: Gap,
  asset: Asset,
): Promise<Arrival[]> {
  const sent = await sumSent(node, after + 1n, block.number, asset, address)
  let missing = -surplus - sent
  const kept: Arrival[] = []
  for (const arrival of arrivals.toReversed()) {
    const { number } = arrival.block
    const isConcerned = arrival.address === address && number > after && number <= block.number
    const loss = isConcerned && missing > 0n ? least(missing, arrival.amount) : 0n
    missing -= loss
    if (arrival.amount > loss) kept.unshift({ ...arrival, amount: arrival.amount - loss })
  }
  return kept
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
