import { type Log, type SightedTransfer, Unavailable } from '#server/services.ts'
import { type Asset, NATIVE, readBalances } from './calls/read-balances.ts'
import { explainGaps } from './explain-gaps.ts'
import { type Balances, type Range, unlessPruned } from './gaps.ts'
import type { Arrival } from './movements.ts'
import type { EvmNode } from './calls/node.ts'

/**
 * Compares what was found with what the addresses came to hold. Coins that a contract sent stand in
 * no block: they show as more than was found. A token that keeps a part of each transfer shows as
 * less, and what arrived is what counts. A node that leaves transfers out shows as well.
 */
export type Accounting = {
  /**
   * The arrivals as they really were. Those of an asset of which the node no longer has the
   * balances are as they were found; then `isComplete` is false, and a later range makes up for it.
   * Throws `Unavailable` where the node does not say now what it may well know.
   * @param wasComplete False where an earlier range is to be made up for.
   */
  settle(
    node: EvmNode,
    range: Range,
    wasComplete: boolean,
  ): Promise<{ arrivals: Arrival[]; isComplete: boolean }>
}

type Options = {
  chain: string
  log: Log
  /** The contracts of the sale's tokens that passed their check. */
  contracts(): readonly Asset[]
  /**
   * What was recorded for each address of an asset up to a height; null for an asset that is not
   * recorded by its name.
   */
  sumRecorded(
    asset: Asset,
    upTo: bigint,
    later: readonly SightedTransfer[],
  ): Promise<Balances | null>
}

/** So often a node may tell of too few transfers of a token before its balances are believed. */
const DOUBTS_MAX = 5

export function createAccounting({ chain, log, contracts, sumRecorded }: Options): Accounting {
  /** The balances at the end of the last range, where the next one most often begins. */
  let snapshot: { hash: string; balances: ReadonlyMap<Asset, Balances> } | null = null
  let doubts = 0

  /** The balances before a range: from the node, or from what was recorded where it lacks them. */
  async function readBefore(node: EvmNode, range: Range, asset: Asset, wasComplete: boolean) {
    const { from, watched } = range
    const kept = snapshot?.hash === from.hash ? snapshot.balances.get(asset) : undefined
    if (wasComplete) {
      const missing = [...watched.keys()].filter((address) => kept?.has(address) !== true)
      const asked = await unlessPruned(readBalances(node, asset, missing, from.hash))
      if (asked !== null) return { before: new Map([...(kept ?? []), ...asked]), isExact: true }
    }
    log.warn(
      { chain, asset, height: from.height },
      'The node lacks the balances of a block that is read only now. What contracts sent is found ' +
        'by what was recorded before, except to addresses that were emptied meanwhile',
    )
    const before = await sumRecorded(asset, range.readFrom, range.earlier)
    return before && { before, isExact: false }
  }

  /** A node may only have left something out, so that it is asked again first. */
  function doubt(node: EvmNode, asset: Asset): void {
    doubts += 1
    if (doubts > DOUBTS_MAX) return
    throw new Unavailable(
      `The node at ${node.host} leaves out transfers: more of ${asset} arrived than it tells of`,
    )
  }

  async function settleAsset(node: EvmNode, range: Range, asset: Asset, wasComplete: boolean) {
    const addresses = [...range.watched.keys()]
    const after = await unlessPruned(readBalances(node, asset, addresses, lastHash(range)))
    const start = after && (await readBefore(node, range, asset, wasComplete))
    if (after === null || start === null) {
      return { after, arrivals: range.arrivals.filter((arrival) => arrival.asset === asset) }
    }
    const ends = { ...start, after }
    return {
      after,
      arrivals: await explainGaps(node, range, asset, ends, () => doubt(node, asset)),
    }
  }

  return {
    async settle(node, range, wasComplete) {
      const assets = [NATIVE, ...contracts()]
      const arrivals = range.arrivals.filter(({ asset }) => !assets.includes(asset))
      const balances = new Map<Asset, Balances>()
      for (const asset of assets) {
        const settled = await settleAsset(node, range, asset, wasComplete)
        arrivals.push(...settled.arrivals)
        if (settled.after !== null) balances.set(asset, settled.after)
      }
      doubts = 0
      snapshot = { hash: lastHash(range), balances }
      return { arrivals, isComplete: assets.every((asset) => balances.has(asset)) }
    },
  }
}

function lastHash({ from, blocks }: Range): string {
  return blocks.at(-1)?.hash ?? from.hash
}
