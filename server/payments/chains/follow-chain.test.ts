import { expect, test } from 'vitest'
import type { Block } from './blocks/block.ts'
import { cursorAt } from './blocks/cursor.ts'
import { createHealthMonitor } from './chain-health.ts'
import { followChain } from './follow-chain.ts'
import { createNodePool } from './nodes/node-pool.ts'

const blockAt = (height: bigint): Block => ({
  number: height,
  hash: `0x${height.toString(16).padStart(64, '0')}`,
  parentHash: `0x${(height - 1n).toString(16).padStart(64, '0')}`,
  timestamp: 1_700_000_000n + height,
})
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** A chain that is read once an hour. */
function aChain() {
  const chain = { height: 1n, readings: 0 }
  const node = {
    host: 'node.example',
    head: async () => blockAt(chain.height),
    block: async (height: bigint) => blockAt(height),
  }
  const follower = followChain<typeof node>({
    source: {
      name: 'chain',
      batch: { first: 10, max: 10 },
      faults: {},
      connect: async () => {},
      look: async () => {
        chain.readings += 1
        return { head: blockAt(chain.height), restSince: () => null, pending: null }
      },
      startAt: async () => cursorAt(blockAt(1n)),
      readRange: async (_node, { from, to }) => ({
        blocks: Array.from({ length: Number(to - from.height) }, (_, place) =>
          blockAt(from.height + 1n + BigInt(place)),
        ),
        transfers: [],
        isComplete: true,
      }),
    },
    pool: createNodePool([node], async () => {}),
    symbols: [],
    pace: { everyMs: 3_600_000, pauseMs: 3_600_000, pauseMaxMs: 3_600_000, recheckMs: 0 },
    health: createHealthMonitor({ chain: 'chain', symbols: [], log }),
    record: { listAbove: async () => [], sumUpTo: async () => [] },
    log,
  })
  return { chain, node, follower }
}

test('a block that is awaited is read at once, and any other at the pace of the chain', async () => {
  const { chain, follower } = aChain()
  const { cursor } = await follower.read(null)
  chain.height = 2n
  expect(await follower.read(cursor)).toMatchObject({ height: 1n })
  expect(await follower.read(cursor, true)).toMatchObject({ height: 2n })
  expect(chain.readings).toBe(2)
})

test('while there is no new block, or the node fails, nothing is read for it', async () => {
  const { chain, node, follower } = aChain()
  const { cursor } = await follower.read(null)
  expect(await follower.read(cursor, true)).toMatchObject({ height: 1n })
  expect(chain.readings).toBe(1)
  chain.height = 2n
  node.head = () => Promise.reject(new Error('No answer'))
  expect(await follower.read(cursor, true)).toMatchObject({ height: 1n })
  expect(chain.readings).toBe(1)
})
