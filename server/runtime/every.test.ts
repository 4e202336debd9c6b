import { describe, expect, test, vi } from 'vitest'

import type { Log } from '#server/ports/runtime.ts'
import { every } from './every.ts'

const pauses = vi.hoisted((): number[] => [])
vi.mock(import('node:timers/promises'), async (load) => {
  const real = await load()
  const setTimeout: typeof real.setTimeout = (delayMs, ...more) => {
    pauses.push(delayMs ?? 0)
    return real.setTimeout(delayMs, ...more)
  }
  return { ...real, setTimeout }
})

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

describe('a worker', () => {
  test('continues after a failed step, and says so', async () => {
    const error = vi.fn<Log['error']>()
    let steps = 0
    const worker = every(1, 'count', { ...silent, error }, async () => {
      steps += 1
      if (steps === 1) throw new Error('The first one fails.')
    })
    await vi.waitUntil(() => steps > 2)
    await worker.stop()
    expect(error).toHaveBeenCalledOnce()
  })

  test('pauses no less after a failed step than after another', async () => {
    pauses.length = 0
    const worker = every(600_000, 'rare', silent, async () => {
      throw new Error('It always fails.')
    })
    await vi.waitUntil(() => pauses.length > 0)
    await worker.stop()
    expect(pauses).toEqual([600_000])
  })

  test('stops only when the step under way is done, and takes no other', async () => {
    let finish = () => {}
    let started = 0
    let finished = 0
    const worker = every(1, 'slow', silent, async () => {
      started += 1
      await new Promise<void>((resolve) => (finish = resolve))
      finished += 1
    })
    await vi.waitUntil(() => started === 1)
    const stopped = worker.stop()
    finish()
    await stopped
    expect({ started, finished }).toEqual({ started: 1, finished: 1 })
  })
})
