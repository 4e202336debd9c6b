import type { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'

/** How nodes and their hosts say that they do not keep a state so old. Nothing else is believed. */
const MISSING = [
  // go-ethereum and what descends from it, Nethermind.
  /missing trie node/,
  /state( \S+)? (is )?(not available|unavailable|not found)/,
  /no state (available|found) for/,
  // Reth, Erigon, and history that was left out.
  /state at block \S+ is pruned/,
  /(due to pruning|has been pruned|history unavailable)/,
  // Nodes of Arbitrum, which compute a state again as far as they may.
  /state recreation/,
  // Hosted nodes.
  /archive/,
]

/** Codes by which hosted nodes refuse for a while what they could answer. */
const THROTTLED_CODES = [-32_005, -32_007, 429]
const THROTTLED =
  /(?<!depth )limit|\brate\b|capacity|too many|throttl|(?<!depth limit )exceed|quota|time.?out|timed out/
const REVERTED = /revert/

/**
 * Whether a node refused a call because it no longer has the state that the call is about. What may
 * be a lack of calls, of time or of health is none: the same call may be answered in a moment.
 */
export function isStateMissing({ detail, code }: RpcRefused): boolean {
  const said = detail.toLowerCase()
  if (code !== null && THROTTLED_CODES.includes(code)) return false
  if (THROTTLED.test(said) || REVERTED.test(said)) return false
  return MISSING.some((pattern) => pattern.test(said))
}
