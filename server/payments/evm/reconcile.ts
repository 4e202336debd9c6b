import { Unavailable } from '#domain/unavailable.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { EvmNode } from './calls/node.ts'
import { type Asset, type Balances, NATIVE, readBalances } from './calls/read-balances.ts'
import {
  balancesOf,
  type Discrepancy,
  findDiscrepancies,
  locateDiscrepancies,
  type Range,
} from './discrepancies.ts'
import type { Incoming } from './movements.ts'
import { nameByBlock } from './networks.ts'
import { type ReadRecorded, unlessMissing } from './old-states.ts'
import { sumSent } from './tokens/transfer-logs.ts'

/**
 * Compares what was found in a range with how the balances changed. Coins sent by a contract are in
 * no block's transactions: the balance shows more than was found. With a token that keeps a part of
 * each transfer it shows less, and what arrived is what counts. A node that omits transfers is
 * noticed too.
 *
 * Returns what really came. If the node no longer has the balances of an asset, the result for it
 * is what was found; then `isComplete` is false, and a later range makes up for it. Throws
 * `Unavailable` if the node does not say now what it may well know.
 */
export type Reconcile = (
  node: EvmNode,
  range: Range,
) => Promise<{ incoming: Incoming[]; isComplete: boolean }>

/** What the watched addresses held of an asset before and after a range. */
type Ends = {
  after: Balances
  before: Balances
  /** False if `before` comes from the records, which do not know what was sent on. */
  isExact: boolean
}

type Options = {
  chain: string
  /** The contracts of the sale's tokens that passed their check. */
  contracts(): readonly Asset[]
  readRecorded: ReadRecorded
  log: Log
}

/**
 * How often a node may report too few transfers of a token before its balances are believed. They
 * are, from then on, until the transfers explain them again: a token that logs none, or whose
 * balances grow by themselves, must not hold up the other payments each time.
 */
const SUSPICIONS_MAX = 5

export function createReconcile({ chain, contracts, readRecorded, log }: Options): Reconcile {
  /** The balances at the end of the last range, where the next one usually begins. */
  let snapshot: { hash: string; balances: ReadonlyMap<Asset, Balances> } | null = null
  const suspicions = new Map<Asset, number>()

  /** The balances before a range; null if the node no longer has all of them. */
  async function readBefore(node: EvmNode, { from, watched }: Range, asset: Asset) {
    const kept = snapshot?.hash === from.hash ? snapshot.balances.get(asset) : undefined
    const unknown = [...watched.keys()].filter((address) => kept?.has(address) !== true)
    const read = await unlessMissing(readBalances(node, asset, unknown, from.hash))
    return read && new Map([...(kept ?? []), ...read])
  }

  /** Throws while the node may only have omitted something: it is asked again first. */
  function requireReported(node: EvmNode, asset: Asset, isMoreThanReported: boolean): void {
    if (!isMoreThanReported) return void suspicions.delete(asset)
    const count = (suspicions.get(asset) ?? 0) + 1
    suspicions.set(asset, count)
    if (count > SUSPICIONS_MAX) return
    throw new Unavailable(
      `The node at ${node.host} leaves out transfers: more of ${asset} arrived than it reports`,
    )
  }

  /** Null if the balances of an asset are unavailable. */
  async function readEnds(node: EvmNode, range: Range, asset: Asset): Promise<Ends | null> {
    const { hash } = range.blocks.at(-1) ?? range.from
    const after = await unlessMissing(readBalances(node, asset, [...range.watched.keys()], hash))
    const exact = after !== null && range.isComplete ? await readBefore(node, range, asset) : null
    if (range.isComplete && exact === null) {
      log.warn(
        { chain, asset, height: range.from.height },
        'The node no longer has the balances of an older block. What contracts sent is found ' +
          'from what was recorded before, except to addresses that have been emptied since',
      )
    }
    if (after === null) return null
    return { after, before: exact ?? (await readRecorded(range, asset)), isExact: exact !== null }
  }

  return async (node, range) => {
    const assets = [NATIVE, ...contracts()]
    const incoming = range.incoming.filter(({ asset }) => !assets.includes(asset))
    const balances = new Map<Asset, Balances>()
    for (const asset of assets) {
      const ends = await readEnds(node, range, asset)
      incoming.push(...(await reconcileAsset(node, range, asset, ends, requireReported)))
      if (ends !== null) balances.set(asset, ends.after)
    }
    snapshot = { hash: (range.blocks.at(-1) ?? range.from).hash, balances }
    return { incoming, isComplete: balances.size === assets.length }
  }
}

/**
 * @param requireReported Called before a balance above the reported transfers is believed, and when
 * the reported transfers explain it.
 */
async function reconcileAsset(
  node: EvmNode,
  range: Range,
  asset: Asset,
  ends: Ends | null,
  requireReported: (node: EvmNode, asset: Asset, isMoreThanReported: boolean) => void,
): Promise<readonly Incoming[]> {
  const found = range.incoming.filter((each) => each.asset === asset)
  if (ends === null) return found
  const { before, after, isExact } = ends
  const span = { start: 0, end: range.blocks.length, before, after }
  // Native coins never arrive in part, and tokens that only left are not a payment.
  const mayBeLess = isExact && asset !== NATIVE
  const discrepancies = findDiscrepancies(range, asset, span).filter(
    ({ surplus, address }) =>
      surplus > 0n || (mayBeLess && found.some((each) => each.address === address)),
  )
  const isMore = discrepancies.some(({ surplus }) => surplus > 0n)
  if (mayBeLess && (isMore || found.length > 0)) requireReported(node, asset, isMore)
  const addresses = discrepancies.map(({ address }) => address)
  const concerned = { ...span, after: balancesOf(addresses, after) }
  let incoming = found
  // Discrepancies older than the node's states are assigned to the first block whose state shows
  // them. In a later block they would be lost for good with that block, since the state before it
  // would include them already.
  for (const each of await locateDiscrepancies(node, range, asset, concerned)) {
    if (each.surplus > 0n) incoming = [...incoming, unmatched(range, each, asset, isExact)]
    else if (mayBeLess) incoming = await withoutWhatWasKept(node, incoming, each, asset)
  }
  return incoming
}

/**
 * What came without a transaction of its own is identified by its block and its address. Where the
 * balances before the range are not known, it may have come long before that block.
 */
function unmatched(
  { watched, from, foundThrough }: Range,
  { address, surplus, after, block }: Discrepancy,
  asset: Asset,
  isExact: boolean,
): Incoming {
  return {
    ...(!isExact && after === from.height && { sentAt: foundThrough }),
    asset,
    address,
    amount: surplus,
    block,
    transactionHash: nameByBlock(block.hash, asset),
    index: Number(watched.get(address)?.id),
  }
}

/** Deducts what never arrived from the last transfers; what was sent on is not a loss. */
async function withoutWhatWasKept(
  node: EvmNode,
  incoming: readonly Incoming[],
  { address, surplus, after, block }: Discrepancy,
  asset: Asset,
): Promise<Incoming[]> {
  const sent = await sumSent(node, after + 1n, block.number, asset, address)
  let missing = -surplus - sent
  const kept: Incoming[] = []
  for (const each of incoming.toReversed()) {
    const { number } = each.block
    const isConcerned = each.address === address && number > after && number <= block.number
    const most = missing < each.amount ? missing : each.amount
    const loss = isConcerned && missing > 0n ? most : 0n
    missing -= loss
    if (each.amount > loss) kept.unshift({ ...each, amount: each.amount - loss })
  }
  return kept
}
