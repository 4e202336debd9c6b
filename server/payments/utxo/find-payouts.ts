import { Unavailable } from '#domain/unavailable.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { matchPayouts, type SeenTransfer } from '#server/payments/payouts/match-payouts.ts'
import { createBlockScan } from '#server/payments/payouts/scan-blocks.ts'
import type { Payout, PayoutSearch } from '#server/ports/payouts.ts'
import type { Coin } from './coins.ts'
import { decodeAddress } from './payout-addresses.ts'
import {
  createOutputReader,
  type Paid,
  paidBy,
  type PayoutNode,
  type Wanted,
} from './payout-outputs.ts'

const BLOCKS_AT_ONCE = 4

/** Which transactions can be the sale's own. */
export type IsOwn = (paid: Pick<Paid, 'transactionHash' | 'spends'>) => boolean

/**
 * Finds payouts on a coin's chain: in the named transactions, in the blocks since the batch was
 * made, and among waiting transactions. A transaction that was replaced is neither waiting nor in a
 * block; what spends the coins of a named one has replaced it, and counts as named.
 */
export function createPayoutFinder(coin: Coin) {
  const unsettled = BigInt(coin.confirmations.at(-1)?.count ?? 1)
  const scan = createBlockScan<Paid & { height: bigint }>({
    unsettled,
    blocksARange: 12n,
    newBlocks: 48n,
  })
  const { readBlock, readWaiting } = createOutputReader()
  /** The coins that named transactions spend, or spent before they were replaced. */
  const coinsOfNamed = new Map<string, readonly string[]>()

  return async function findPayouts(
    node: PayoutNode,
    payouts: readonly Payout[],
    search: PayoutSearch,
    isOwn: IsOwn,
  ) {
    const { sinceHeight, readHeight, hashes } = search
    const ownNames = search.own?.named ?? []
    const wanted = new Map(
      payouts.map((payout) => [decodeAddress(coin, payout.address)?.script ?? '', payout]),
    )
    const scripts = new Set(wanted.keys())
    // Before the end of the chain is asked for: what leaves the list meanwhile is in a block.
    const pending = await readWaiting(node, scripts)
    const { number: head } = await node.head()
    if (head < sinceHeight || head < readHeight) {
      throw new Unavailable(
        `The node at ${node.host} has fewer blocks of ${coin.chain} than were read`,
      )
    }
    const scanned = await scan.scan(sinceHeight, head, scripts, async (from, to, all) => {
      const heights = Array.from({ length: Number(to - from) + 1 }, (_, nth) => from + BigInt(nth))
      const headers = await node.blocks(heights)
      const found = await mapWithConcurrency(headers, BLOCKS_AT_ONCE, async ({ hash, number }) =>
        (await readBlock(node, hash, all)).map((paid) => ({ ...paid, height: number })),
      )
      return found.flat()
    })
    const named = await mapWithConcurrency([...new Set(hashes)], 1, (id) =>
      readNamed(node, id, head - sinceHeight, scripts),
    )
    const seen = [
      ...scanned.items
        .filter(({ height }) => height <= head)
        .map((paid) => ({ ...paid, confirmations: Number(head - paid.height + 1n) })),
      ...named.flat(),
      ...pending.map((paid) => ({ ...paid, confirmations: 0 })),
    ]
    for (const { transactionHash, spends } of seen) {
      if (ownNames.includes(transactionHash)) coinsOfNamed.set(transactionHash, spends)
    }
    const ownCoins = new Set(ownNames.flatMap((hash) => coinsOfNamed.get(hash) ?? []))
    const transfers = seen.flatMap(({ script, spends, ...paid }): SeenTransfer[] => {
      const payout = wanted.get(script)
      const isReplacement = spends.some((coin) => ownCoins.has(coin))
      if (payout === undefined || !(isReplacement || isOwn({ ...paid, spends }))) return []
      return [{ ...paid, address: payout.address, paymentTokenId: payout.paymentToken.id }]
    })
    return { matches: matchPayouts(payouts, transfers, search), isWhole: scanned.isWhole, head }
  }
}

/** @param depthMax How many blocks there are since the batch was made. */
async function readNamed(
  node: PayoutNode,
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
