import type { ReadRangeOptions } from '#server/payments/chains/chain-source.ts'
import { type RpcRefused, unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { ReceivedSum, TransferRecord } from '#server/ports/rail.ts'
import { type Asset, type Balances, NATIVE } from './calls/read-balances.ts'

/*
 * Most nodes keep only the balances of recent blocks. If a server was away for longer, records take
 * the place of the balances that the node no longer has.
 */

type Options = {
  chain: string
  record: TransferRecord
  /** The sale's payment tokens by what they are on the chain. */
  tokenIds: ReadonlyMap<Asset, string>
}

/**
 * What each address held of an asset before a range, according to the records and to what the same
 * reading has found since, which would otherwise be credited twice. What was sent on counts as
 * still there.
 */
export type ReadRecorded = (range: ReadRangeOptions, asset: Asset) => Promise<Balances>

export function createReadRecorded({ chain, record, tokenIds }: Options): ReadRecorded {
  return async ({ readFrom, earlier }, asset) => {
    const sums = new Map<string, bigint>()
    const add = ({ address, paymentTokenId, name, amount }: ReceivedSum) => {
      // What came before the asset was one of the sale's was recorded by its name.
      if (paymentTokenId === null ? name !== asset : paymentTokenId !== tokenIds.get(asset)) return
      const key = address.toLowerCase()
      sums.set(key, (sums.get(key) ?? 0n) + amount)
    }
    for (const each of await record.sumUpTo(chain, readFrom)) add(each)
    // Gas has no name, and is coins.
    for (const each of earlier) add({ ...each, name: each.foreign?.name ?? NATIVE })
    return sums
  }
}

/**
 * Null if the node no longer has the state in question. Any other failure is thrown: without the
 * balances nobody knows what arrived.
 */
export const unlessMissing = <Answer>(answer: Promise<Answer>) =>
  unlessRefused(answer, isStateMissing)

/** How nodes and their hosts report that they no longer keep a state. Nothing else is believed. */
const MISSING = [
  // go-ethereum and what descends from it, Nethermind.
  /missing trie node/,
  /state( \S+)? (is )?(not available|unavailable|not found)/,
  /no state (available|found) for/,
  // Reth, Erigon, and history that was left out.
  /state at block \S+ is pruned/,
  /(due to pruning|has been pruned|history unavailable)/,
  // Arbitrum nodes, which recompute a state within limits.
  /state recreation/,
  // Hosted nodes.
  /archive/,
]

/** Codes with which hosted nodes temporarily refuse what they could answer. */
const THROTTLED_CODES = [-32_005, -32_007, 429]
const THROTTLED =
  /(?<!depth )limit|\brate\b|capacity|too many|throttl|(?<!depth limit )exceed|quota|time.?out|timed out/
const REVERTED = /revert/

/**
 * Whether a node refused a call because it no longer has the state in question. A refusal that may
 * be for lack of calls, of time or of health does not count: the same call may succeed a moment
 * later.
 */
export function isStateMissing({ detail, code }: RpcRefused): boolean {
  const words = detail.toLowerCase()
  if (code !== null && THROTTLED_CODES.includes(code)) return false
  if (THROTTLED.test(words) || REVERTED.test(words)) return false
  return MISSING.some((pattern) => pattern.test(words))
}
