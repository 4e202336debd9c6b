import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Unavailable } from '#domain/unavailable.ts'
import { createNodePool } from './node-pool.ts'

const MINUTE_MS = 60_000

describe('the nodes of a chain', () => {
  let down: string[]
  beforeEach(() => {
    down = []
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const aPool = () =>
    createNodePool([{ host: 'first' }, { host: 'second' }, { host: 'third' }], async ({ host }) => {
      if (down.includes(host)) throw new Unavailable(`${host} is down`)
    })
  const hostOf = async ({ host }: { host: string }) => host

  test('stand in for one another, and the first one is asked again after a while', async () => {
    const pool = aPool()
    down = ['first', 'second']
    expect(await pool.use(hostOf)).toBe('third')
    down = []
    expect(await pool.use(hostOf)).toBe('third')
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await pool.use(hostOf)).toBe('first')
  })

  test('are asked one after the other until one knows enough, which is then asked first', async () => {
    const pool = aPool()
    const isEnough = (host: string) => host === 'second'
    expect(await pool.askUntil(hostOf, isEnough)).toEqual(['first', 'second'])
    expect(await pool.askUntil(hostOf, isEnough)).toEqual(['second'])
    const nobodyKnows = () => false
    expect(await pool.askUntil(hostOf, nobodyKnows)).toEqual(['second', 'third', 'first'])
    expect(await pool.askUntil(hostOf, isEnough)).toEqual(['second'])
  })

  test('report each reason if none can be asked', async () => {
    down = ['first', 'second', 'third']
    const refused = aPool().use(hostOf)
    await expect(refused).rejects.toThrow('first is down. second is down. third is down')
    await expect(refused).rejects.toThrow(Unavailable)
  })
})
