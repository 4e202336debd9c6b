import { expect, test } from 'vitest'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { isStateMissing } from './old-states.ts'

/** The host is part of the sentence, but its words must not count. */
const refusal = (detail: string, code: number | null) =>
  new RpcRefused(`The node at archive.limit.example refuses eth_call: ${detail}`, code, detail)

test.each([
  ['missing trie node b03d68ac51042467 (path ) <nil>', -32_000],
  ['missing trie node 3b70 (path ) state 0x3b70 is not available, not found', -32_000],
  ['required historical state unavailable (reexec=128)', -32_000],
  ['historical state 0x3b70 is not available', -32_000],
  ['historical state is not available', -32_000],
  ['No state available for block 0x3f9e020290502d1d41f4b5519e7d456f0935dea9', -32_002],
  ['World state unavailable', -32_000],
  ['state at block #19000000 is pruned', -32_000],
  ['old data not available due to pruning', -32_000],
  ['pruned history unavailable', 4_444],
  ['state recreation l2 gas depth limit exceeded', -32_000],
  ['Archive requests need a paid plan', -32_002],
])('a state is missing where a node says: %s', (detail, code) => {
  expect(isStateMissing(refusal(detail, code))).toBe(true)
})

test.each([
  ['limit exceeded', -32_005],
  ['daily request count exceeded, request rate limited', -32_005],
  ['missing trie node', -32_005],
  ['missing trie node', 429],
  ['150/second request limit reached', -32_007],
  ['Your app has exceeded its compute units per second capacity', null],
  ['Too Many Requests', -32_000],
  ['Archive request rate is limited by your plan', -32_000],
  ['request timed out', -32_000],
  ['historical state unavailable: timeout', -32_000],
  ['internal error', -32_603],
  ['header not found', -32_000],
  ['execution reverted: missing trie node', 3],
  ['execution reverted', -32_000],
  ['out of gas', -32_000],
  ['slow down', null],
])('nothing is known to be missing where a node says: %s (%s)', (detail, code) => {
  expect(isStateMissing(refusal(detail, code))).toBe(false)
})
