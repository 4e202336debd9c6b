import type { SightedTransfer } from '#server/services.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { type Asset, NATIVE, readBalances } from './calls/read-balances.ts'
import type { Watched } from '#server/payments/chains/watch-list.ts'
import type { Arrival, Departure } from './movements.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import { isStateMissing } from './is-state-missing.ts'
import type { EvmNode } from './calls/node.ts'

/** A range of blocks and what was found to have moved in it. */
export type Range = {
  /** The block before the first. */
  from: { height: bigint; hash: string }
  /** Never empty. */
  blocks: readonly Block[]
  watched: Watched
  /** After which height the reading began; what stands up to there was recorded. */
  readFrom: bigint
  /** What the same reading found before this range, and is yet to be recorded. */
  earlier: readonly SightedTransfer[]
  arrivals: readonly Arrival[]
  /** Of native coins. */
  departures: readonly Departure[]
}

/** What each address holds of an asset; none where it is left out. */
export type Balances = ReadonlyMap<string, bigint>

/** A difference between what an address was found to be sent and what it came to hold. */
export type Gap = {
  address: string
  /** What it came to hold less what was found. */
  surplus: bigint
  /** The difference arose after this height … */
  after: bigint
  /** … and by the end of this block. */
  block: Block
}

/** Some blocks of a range by their places, with the balances before and after them. */
type Span = { start: number; end: number; before: Balances; after: Balances }

/** The gaps of an asset over a whole range. */
export function findGaps(range: Range, asset: Asset, before: Balances, after: Balances): Gap[] {
  return gapsOf(range, asset, { start: 0, end: range.blocks.length, before, after })
}

/**
 * Finds the very blocks in which gaps arose, by halves, as far as the node still has the states
 * between.
 */
export async function locateGaps(
  node: EvmNode,
  range: Range,
  asset: Asset,
  before: Balances,
  after: Balances,
): Promise<Gap[]> {
  return await locate(node, range, asset, { start: 0, end: range.blocks.length, before, after })
}

async function locate(node: EvmNode, range: Range, asset: Asset, span: Span): Promise<Gap[]> {
  const gaps = gapsOf(range, asset, span)
  const { start, end, before, after } = span
  if (gaps.length === 0) return gaps
  const addresses = gaps.map(({ address }) => address)
  const between = await readBetween(node, range, asset, { start, end, addresses })
  if (between === null) return gaps
  const { middle, balances } = between
  // Only the addresses with gaps are followed: of all others nothing is known in the middle.
  const own = (all: Balances) => new Map(addresses.map((each) => [each, all.get(each) ?? 0n]))
  const first = { start, end: middle, before: own(before), after: balances }
  const second = { start: middle, end, before: balances, after: own(after) }
  return [
    ...(await locate(node, range, asset, first)),
    ...(await locate(node, range, asset, second)),
  ]
}

type Between = { start: number; end: number; addresses: readonly string[] }

/**
 * The balances in the middle of some blocks, or as early after it as the node has the state; null
 * where it has none before their end.
 */
async function readBetween(
  node: EvmNode,
  { blocks }: Range,
  asset: Asset,
  { start, end, addresses }: Between,
): Promise<{ middle: number; balances: Balances } | null> {
  let middle = (start + end) >> 1
  while (middle > start && middle < end) {
    const hash = blocks[middle - 1]?.hash
    if (hash === undefined) return null
    const balances = await unlessPruned(readBalances(node, asset, addresses, hash))
    if (balances !== null) return { middle, balances }
    middle = (middle + end + 1) >> 1
  }
  return null
}

function gapsOf(range: Range, asset: Asset, { start, end, before, after }: Span): Gap[] {
  const block = range.blocks[end - 1]
  if (block === undefined) return []
  const above = range.blocks[start - 1]?.number ?? range.from.height
  const isWithin = (height: bigint) => height > above && height <= block.number
  const found = new Map<string, bigint>()
  const note = (address: string, amount: bigint) =>
    found.set(address, (found.get(address) ?? 0n) + amount)
  for (const arrival of range.arrivals) {
    if (arrival.asset === asset && isWithin(arrival.block.number)) {
      note(arrival.address, arrival.amount)
    }
  }
  for (const { address, amount, height } of asset === NATIVE ? range.departures : []) {
    if (isWithin(height)) note(address, -amount)
  }
  return [...after].flatMap(([address, balance]) => {
    const grown = balance - (before.get(address) ?? 0n)
    const surplus = grown - (found.get(address) ?? 0n)
    return surplus === 0n ? [] : [{ address, surplus, after: above, block }]
  })
}

/**
 * Null where the node no longer has the state that a question is about. Whatever else keeps it from
 * answering is thrown: without the balances nobody knows what arrived.
 */
export async function unlessPruned<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefused && isStateMissing(error)) return null
    throw error
  }
}
