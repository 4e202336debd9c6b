import { describe, expect, test, vi } from 'vitest'

import type { Log } from '#server/ports/runtime.ts'
import { every } from './every.ts'

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
