import type { Watched } from '#server/payments/chains/watch-list.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import type { ReadRangeOptions } from '#server/payments/chains/chain-source.ts'
import type { EvmNode } from './calls/node.ts'
import { type Asset, type Balances, NATIVE, readBalances } from './calls/read-balances.ts'
import type { Incoming, Outgoing } from './movements.ts'
import { unlessMissing } from './old-states.ts'

/** A range of blocks and the movements found in it. */
export type Range = ReadRangeOptions & {
  /** Never empty. */
  blocks: readonly Block[]
  watched: Watched
  incoming: readonly Incoming[]
  /** Of native coins. */
  outgoing: readonly Outgoing[]
}

/** Some blocks of a range by their places, with the balances before and after them. */
export type Span = { start: number; end: number; before: Balances; after: Balances }

/** A difference between what an address was found to receive and how its balance changed. */
export type Discrepancy = {
  address: string
  /** The change in balance less what was found. */
  surplus: bigint
  /** The difference arose after this height … */
  after: bigint
  /** … and by the end of this block. */
  block: Block
}

/** The discrepancies of an asset, for each address whose final balance is given. */
export function findDiscrepancies(range: Range, asset: Asset, span: Span): Discrepancy[] {
  const { blocks, from, incoming, outgoing } = range
  const { start, end, before, after } = span
  const block = blocks[end - 1]
  if (block === undefined) return []
  const above = blocks[start - 1]?.number ?? from.height
  const found = new Map<string, bigint>()
  const add = (address: string, amount: bigint, height: bigint) => {
    if (height <= above || height > block.number) return
    found.set(address, (found.get(address) ?? 0n) + amount)
  }
  for (const each of incoming) {
    if (each.asset === asset) add(each.address, each.amount, each.block.number)
  }
  for (const { address, amount, fee, block } of asset === NATIVE ? outgoing : []) {
    add(address, -amount - fee, block.number)
  }
  return [...after].flatMap(([address, balance]) => {
    const grown = balance - (before.get(address) ?? 0n)
    const surplus = grown - (found.get(address) ?? 0n)
    return surplus === 0n ? [] : [{ address, surplus, after: above, block }]
  })
}

/**
 * Finds the exact blocks in which discrepancies arose, by bisection, as far as the node still has
 * the states between.
 */
export async function locateDiscrepancies(
  node: EvmNode,
  range: Range,
  asset: Asset,
  span: Span,
): Promise<Discrepancy[]> {
  const found = findDiscrepancies(range, asset, span)
  const addresses = found.map(({ address }) => address)
  const middle = await readMiddle(node, range, asset, span, addresses)
  if (middle === null) return found
  const { place, balances } = middle
  const locate = (half: Partial<Span>) =>
    locateDiscrepancies(node, range, asset, { ...span, ...half })
  const after = balancesOf(addresses, span.after)
  return [
    ...(await locate({ end: place, after: balances })),
    ...(await locate({ start: place, before: balances, after })),
  ]
}

/**
 * The balances in the middle of some blocks, or as soon after it as the node has the state; null if
 * it has none before their end.
 */
async function readMiddle(
  node: EvmNode,
  { blocks }: Range,
  asset: Asset,
  { start, end }: Span,
  addresses: readonly string[],
): Promise<{ place: number; balances: Balances } | null> {
  if (addresses.length === 0) return null
  let place = (start + end) >> 1
  while (place > start && place < end) {
    const hash = blocks[place - 1]?.hash
    if (hash === undefined) return null
    const balances = await unlessMissing(readBalances(node, asset, addresses, hash))
    if (balances !== null) return { place, balances }
    place = (place + end + 1) >> 1
  }
  return null
}

export function balancesOf(addresses: readonly string[], all: Balances): Balances {
  return new Map(addresses.map((address) => [address, all.get(address) ?? 0n]))
}
