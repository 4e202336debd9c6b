import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeadWatch } from './evm-chain.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a node rests once its newest block has been the same for long', () => {
  const isResting = createHeadWatch(1_000)
  const [node, other] = [{}, {}]
  const head = (hash: string) => ({ number: 1n, hash, parentHash: '', timestamp: 0n })
  expect(isResting(node, head('a'))).toBe(false)
  vi.advanceTimersByTime(1_001)
  expect(isResting(other, head('a'))).toBe(false)
  expect(isResting(node, head('a'))).toBe(true)
  expect(isResting(node, head('b'))).toBe(false)
  vi.advanceTimersByTime(1_001)
  expect(isResting(node, head('b'))).toBe(true)
})
