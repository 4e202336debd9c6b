import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createNodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { Unavailable } from '#server/services.ts'
import { type BestReading, createBestReading, type Showing } from './showing.ts'

type Node = { host: string; shows: Showing<string> | null }

const MINUTE_MS = 60_000

describe('what the nodes of a chain show', () => {
  let nodes: Node[]
  let readBest: BestReading<Node, string>

  beforeEach(() => {
    nodes = ['first', 'second', 'third'].map((host) => ({ host, shows: behind(10n) }))
    readBest = createBestReading(createNodePool(nodes, async () => {}))
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const behind = (height: bigint): Showing<string> => ({
    height,
    reading: `behind at ${height}`,
    isEnough: false,
    lowerBranch: null,
  })
  const lower = (height: bigint, inPlaceOf = 'tip'): Showing<string> => ({
    height,
    reading: 'unchanged',
    isEnough: false,
    lowerBranch: { inPlaceOf, read: async () => `lower branch to ${height}` },
  })

  /** What a reading gives when the nodes show this; one that shows null does not answer. */
  async function read(...shown: (Showing<string> | null)[]): Promise<string> {
    for (const [place, node] of nodes.entries()) {
      const shows = shown[place]
      node.shows = shows === undefined ? behind(1n) : shows
    }
    return await readBest(async ({ host, shows }) => {
      if (shows === null) throw new Unavailable(`${host} is away`)
      return shows
    })
  }

  test('is read where one has more than was read', async () => {
    const more = { height: 5n, reading: 'more', isEnough: true, lowerBranch: null }
    expect(await read(behind(10n), more, lower(11n))).toBe('more')
  })

  test('is otherwise read of the one that has most', async () => {
    expect(await read(behind(10n), behind(12n), lower(11n))).toBe('behind at 12')
    expect(await read(lower(12n), behind(12n), behind(11n))).toBe('behind at 12')
  })

  test('is a lower branch only where two readings in a row have nothing better', async () => {
    expect(await read(lower(11n), lower(11n), lower(11n))).toBe('unchanged')
    expect(await read(behind(12n), lower(11n))).toBe('behind at 12')
    expect(await read(lower(11n), behind(10n))).toBe('unchanged')
    expect(await read(lower(11n, 'another tip'), behind(10n))).toBe('unchanged')
    expect(await read(lower(12n, 'another tip'), behind(10n))).toBe('lower branch to 12')
  })

  test('is not a lower branch at once while a node is away, which may have more', async () => {
    expect(await read(null, lower(11n))).toBe('unchanged')
    expect(await read(null, lower(11n))).toBe('unchanged')
    vi.advanceTimersByTime(MINUTE_MS - 1)
    expect(await read(null, lower(11n))).toBe('unchanged')
    expect(await read(behind(12n), lower(11n))).toBe('behind at 12')
    expect(await read(null, lower(11n))).toBe('unchanged')
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await read(null, lower(11n))).toBe('lower branch to 11')
  })
})
