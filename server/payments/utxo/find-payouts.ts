import { Unavailable } from '#domain/unavailable.ts'
import { greatest, heightsBetween } from '#server/payments/chains/blocks/block.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import {
  findOtherAmounts,
  matchPayouts,
  newlyFound,
  type SeenTransfer,
} from '#server/payments/payouts/match-payouts.ts'
import { createBlockScan, type ScanRange } from '#server/payments/payouts/scan-blocks.ts'
import type { NamedSight, Payout, PayoutSearch } from '#server/ports/payouts.ts'
import type { Coin } from './coins.ts'
import { decodeAddress } from './payout-addresses.ts'
import type { UtxoNode } from './node.ts'
import { createOutputReader, type Paid, paidBy, type Wanted } from './payout-outputs.ts'

const BLOCKS_AT_ONCE = 4

type Mined = Paid & { height: bigint }

export type IsOwn = (paid: Pick<Paid, 'transactionHash' | 'spends'>) => boolean

/**
 * Finds payouts on a coin's chain: in the named transactions, in the blocks since the batch was
 * made, and among waiting transactions. A transaction that was replaced is neither waiting nor in a
 * block; what spends the coins of a named one has replaced it, and counts as named.
 */
export function createPayoutFinder(coin: Coin) {
  const unsettled = BigInt(coin.confirmations.at(-1)?.count ?? 1)
  const options = { unsettled, blocksARange: 12n, newBlocks: 48n }
  const [scan, lowerScan] = [createBlockScan<Mined>(options), createBlockScan<Mined>(options)]
  const { readBlock, readWaiting } = createOutputReader()

  return async function findPayouts(
    node: UtxoNode,
    payouts: readonly Payout[],
    search: PayoutSearch,
    isOwn: IsOwn,
  ) {
    const { sinceHeight, readHeight, hashes } = search
    const wanted = new Map(
      payouts.map((payout) => [decodeAddress(coin, payout.address)?.script ?? '', payout]),
    )
    const scripts = new Set(wanted.keys())
    // Before the end of the chain is asked for: what leaves the list meanwhile is in a block.
    const pending = await readWaiting(node, scripts)
    const { number: head } = await node.head()
    requireHeight(node, coin, head, greatest(sinceHeight, readHeight))
    const read: ScanRange<Mined> = async (from, to, all) => {
      const headers = await node.blocks(heightsBetween(from - 1n, to))
      const found = await mapWithConcurrency(headers, BLOCKS_AT_ONCE, async ({ hash, number }) =>
        (await readBlock(node, hash, all)).map((paid) => ({ ...paid, height: number })),
      )
      return found.flat()
    }
    const scanned = await scan.scan(sinceHeight, head, scripts, read)
    // A reorganisation may have put named transactions lower; nothing else counts there.
    const lowest = greatest(sinceHeight - unsettled, 0n)
    const named = await mapWithConcurrency([...new Set(hashes)], 1, (id) =>
      readNamed(node, id, head - lowest, scripts),
    )
    const seen = [
      ...scanned.items.filter(({ height }) => height <= head).map((paid) => atDepth(paid, head)),
      ...named.flat(),
      ...pending.map((paid) => ({ ...paid, confirmations: 0 })),
    ]
    if (hashes.some((hash) => !isSeen(hash, search, seen))) {
      const { items } = await lowerScan.scan(lowest, head, scripts, read, sinceHeight)
      seen.push(...items.filter(namedIn(search)).map((paid) => atDepth(paid, head)))
    }
    const sightsOf = async (asked: readonly string[]) =>
      (
        await mapWithConcurrency(asked, 1, (hash) =>
          sightOf(node, hash, search.sights.get(hash), seen, scanned.isWhole),
        )
      ).filter((sight) => sight !== null)
    const followed = await sightsOf(search.followed)
    const ownSights = followed.filter(({ hash }) => search.own?.named.includes(hash) === true)
    const ownCoins = new Set(ownSights.flatMap(({ spends }) => spends))
    const transfers = seen.flatMap(({ script, spends, ...paid }): SeenTransfer[] => {
      const payout = wanted.get(script)
      const isReplacement = spends.some((coin) => ownCoins.has(coin))
      if (payout === undefined) return []
      const { address, paymentToken } = payout
      const isOurs = isReplacement || isOwn({ ...paid, spends })
      return [{ ...paid, address, paymentTokenId: paymentToken.id, isOwn: isOurs }]
    })
    const matches = matchPayouts(payouts, transfers, search)
    const others = findOtherAmounts(payouts, transfers, matches, search)
    const sights = [...followed, ...(await sightsOf(newlyFound(matches, search, followed)))]
    return { matches, others, sights, isWhole: scanned.isWhole, head }
  }
}

const atDepth = (paid: Mined, head: bigint) => ({
  ...paid,
  confirmations: Number(head - paid.height + 1n),
})

/** Whether a named transaction was seen, or one that spends its coins, which has replaced it. */
function isSeen(hash: string, { sights }: PayoutSearch, seen: readonly Paid[]): boolean {
  const coins = sights.get(hash)?.spends ?? []
  return seen.some(
    ({ transactionHash, spends }) =>
      transactionHash === hash || spends.some((coin) => coins.includes(coin)),
  )
}

/** Whether a transaction is a named one, or spends the coins of one, which it has replaced. */
function namedIn({ hashes, sights }: PayoutSearch): (paid: Paid) => boolean {
  const coins = new Set([...sights.values()].flatMap(({ spends }) => spends))
  return ({ transactionHash, spends }) =>
    hashes.includes(transactionHash) || spends.some((coin) => coins.has(coin))
}

/** Throws `Unavailable` for a node that is behind. */
export function requireHeight(
  { host }: UtxoNode,
  { chain }: Coin,
  head: bigint,
  height: bigint,
): void {
  if (head >= height) return
  throw new Unavailable(`The node at ${host} has fewer blocks of ${chain} than were read`)
}

/** Null for a transaction that has never been seen to pay any of the payouts. */
async function sightOf(
  node: UtxoNode,
  hash: string,
  before: NamedSight | undefined,
  seen: readonly (Paid & { confirmations: number })[],
  isWhole: boolean,
): Promise<NamedSight | null> {
  const own = seen.find(({ transactionHash }) => transactionHash === hash)
  if (own !== undefined) {
    const state = own.confirmations > 0 ? 'mined' : 'waiting'
    return { hash, spends: own.spends, state, replacedBy: null }
  }
  if (before === undefined) return null
  const { spends } = before
  const other = seen.find((each) => each.spends.some((coin) => spends.includes(coin)))
  if (other !== undefined) {
    return { hash, spends, state: 'replaced', replacedBy: other.transactionHash }
  }
  // It may be in a block that is not read yet.
  if (!isWhole) return before
  if (!(await isAnySpent(node, spends))) return { hash, spends, state: 'waiting', replacedBy: null }
  // What pays nothing that is still looked for is not read again after a start.
  return { hash, spends, state: 'replaced', replacedBy: before.replacedBy }
}

/** Whether any of these coins is spent, if only by a transaction that waits. */
export async function isAnySpent(node: UtxoNode, coins: readonly string[]): Promise<boolean> {
  for (const coin of coins) {
    const [hash = '', index] = coin.split(':')
    if ((await node.unspent(hash, Number(index))) === null) return true
  }
  return false
}

/** @param depthMax How many blocks there are in which it counts. */
async function readNamed(
  node: UtxoNode,
  id: string,
  depthMax: bigint,
  wanted: Wanted,
): Promise<(Paid & { confirmations: number })[]> {
  if (!/^[0-9a-f]{64}$/.test(id)) return []
  const sent = await node.sent(id)
  if (sent === null || sent.confirmations < 0 || BigInt(sent.confirmations) > depthMax) return []
  const { transaction, confirmations } = sent
  return paidBy([transaction], wanted).map((paid) => ({ ...paid, confirmations }))
}
