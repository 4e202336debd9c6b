import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeadWatch } from './evm-chain.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const head = (hash: string) => ({ number: 1n, hash, parentHash: '', timestamp: 0n })

test('a node rests once its newest block has been the same for long', () => {
  const restOf = createHeadWatch(1_000, null)
  const [node, other] = [{}, {}]
  expect(restOf(node, head('a'))).toBeNull()
  vi.advanceTimersByTime(1_001)
  expect(restOf(other, head('a'))).toBeNull()
  expect(restOf(node, head('a'))).toBe('stale')
  expect(restOf(node, head('b'))).toBeNull()
  vi.advanceTimersByTime(1_001)
  expect(restOf(node, head('b'))).toBe('stale')
})

test.each([
  ['is cut off much later, where the chain never rests', 5_000, 'silent'],
  ['rests on, where the chain may do so', null, 'stale'],
])('a node %s', (_, silentMs, rest) => {
  const restOf = createHeadWatch(1_000, silentMs)
  const node = {}
  restOf(node, head('a'))
  vi.advanceTimersByTime(5_000)
  expect(restOf(node, head('a'))).toBe('stale')
  vi.advanceTimersByTime(1)
  expect(restOf(node, head('a'))).toBe(rest)
  expect(restOf(node, head('b'))).toBeNull()
})
