import { expect, test } from 'vitest'
import type { Block } from './block.ts'
import { cursorAt, moveOn } from './cursor.ts'
import { findFork } from './find-fork.ts'

const blockOf = (branch: string, height: bigint): Block => ({
  number: height,
  hash: `0x${branch.repeat(40)}${height}`,
  parentHash: `0x${branch.repeat(40)}${height - 1n}`,
  timestamp: 1_700_000_000n + height,
})
const heights = [1n, 2n, 3n, 4n, 5n, 6n, 7n]
const known = moveOn(
  cursorAt(blockOf('a', 0n)),
  heights.map((height) => blockOf('a', height)),
)

/** A node with other blocks after a height, which answers each further question otherwise. */
function aDoubtfulNode(forkHeight: bigint) {
  const asked = new Set<bigint>()
  return {
    host: 'node.example',
    head: async () => blockOf('b', 7n),
    block: async (height: bigint) => {
      const isRepeated = asked.has(height)
      asked.add(height)
      return blockOf(height <= forkHeight && !isRepeated ? 'a' : 'c', height)
    },
  }
}

test.each([0n, 1n, 2n, 3n, 4n, 5n, 6n])(
  'the last common block is %d, as it was recognised, whatever a node says of it afterwards',
  async (height) => {
    const { hash } = blockOf('a', height)
    expect(await findFork(aDoubtfulNode(height), blockOf('b', 7n), known)).toMatchObject({
      kind: 'replaced',
      from: { height, hash },
    })
  },
)
