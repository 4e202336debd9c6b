import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createNodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { createBestNode, type NodeView } from './best-node.ts'

type Node = { host: string; shows: Shown | null }
type Shown = Omit<NodeView<unknown>, 'node'> & { reading: string }

const MINUTE_MS = 60_000

describe('what the nodes of a chain show', () => {
  let nodes: Node[]
  let read: (...shown: (Shown | null)[]) => Promise<string>
  let cursor: string

  beforeEach(() => {
    cursor = 'tip'
    nodes = ['first', 'second', 'third'].map((host) => ({ host, shows: behind(10n) }))
    const readFromBestNode = createBestNode<Node, NodeView<Node> & { reading: string }>(
      createNodePool(nodes, async () => {}),
    )
    /** The result of a reading when the nodes show this; a node that shows null does not answer. */
    read = async (...shown) => {
      for (const [place, node] of nodes.entries()) {
        const shows = shown[place]
        node.shows = shows === undefined ? behind(1n) : shows
      }
      const view = await readFromBestNode(cursor, async (node, from, believesShorter) => {
        const { host, shows } = node
        expect(from).toBe(cursor)
        if (shows === null) throw new Unavailable(`${host} is away`)
        const reading = believesShorter ? `shorter branch to ${shows.height}` : shows.reading
        return { ...shows, node, reading }
      })
      return view.reading
    }
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const behind = (height: bigint): Shown => ({
    height,
    reading: `behind at ${height}`,
    isEnough: false,
    isShorter: false,
  })
  const shorter = (height: bigint): Shown => ({
    height,
    reading: 'unchanged',
    isEnough: false,
    isShorter: true,
  })

  test('is read where one has more than was read', async () => {
    const more = { height: 5n, reading: 'more', isEnough: true, isShorter: false }
    expect(await read(behind(10n), more, shorter(11n))).toBe('more')
  })

  test('is otherwise read from the one that has most', async () => {
    expect(await read(behind(10n), behind(12n), shorter(11n))).toBe('behind at 12')
    expect(await read(shorter(12n), behind(12n), behind(11n))).toBe('behind at 12')
  })

  test('is a shorter branch only where a minute of readings has nothing better', async () => {
    const all = async () => await read(shorter(11n), shorter(11n), shorter(11n))
    expect(await all()).toBe('unchanged')
    vi.advanceTimersByTime(MINUTE_MS - 1)
    expect(await all()).toBe('unchanged')
    expect(await read(behind(12n), shorter(11n))).toBe('behind at 12')
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await all()).toBe('unchanged')
    cursor = 'another tip'
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await all()).toBe('unchanged')
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await read(shorter(12n), behind(10n))).toBe('shorter branch to 12')
  })

  test('is a shorter branch too where a node is away all the while', async () => {
    expect(await read(null, shorter(11n))).toBe('unchanged')
    vi.advanceTimersByTime(MINUTE_MS)
    expect(await read(null, shorter(11n))).toBe('shorter branch to 11')
  })
})
