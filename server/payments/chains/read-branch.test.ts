import { expect, test } from 'vitest'
import type { Block } from './blocks/block.ts'
import { cursorAt } from './blocks/cursor.ts'
import { createBranchReader } from './read-branch.ts'

const blockAt = (height: number): Block => ({
  number: BigInt(height),
  hash: `0x${height.toString(16).padStart(64, '0')}`,
  parentHash: `0x${(height - 1).toString(16).padStart(64, '0')}`,
  timestamp: 1_700_000_000n,
})

test('a node is stale only where the reading found nothing that was not known before', async () => {
  const head = blockAt(3)
  const read = createBranchReader<{ host: string }>({
    source: {
      name: 'chain',
      batch: { first: 10, max: 10 },
      faults: {},
      connect: async () => {},
      look: async () => {
        throw new Error('The follower looks')
      },
      startAfter: async () => blockAt(1),
      readRange: async (_node, { from, to }) => ({
        blocks: Array.from({ length: Number(to - from.height) }, (_, place) =>
          blockAt(Number(from.height) + 1 + place),
        ),
        transfers: [],
        isComplete: true,
      }),
    },
    record: { listAbove: async () => [], sumUpTo: async () => [] },
  })
  const state = {
    head,
    isStale: ({ tip }: { tip: { hash: string } }) => tip.hash === head.hash,
    pending: null,
  }
  const node = { host: 'node.example' }
  const progressFrom = async (height: number) =>
    (await read(node, state, cursorAt(blockAt(height)), { kind: 'grown' })).progress

  expect(await progressFrom(1)).toBe('current')
  expect(await progressFrom(3)).toBe('stale')
})
