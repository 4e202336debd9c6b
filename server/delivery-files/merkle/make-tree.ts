import { Worker } from 'node:worker_threads'

import type { MakeTree, MerkleTree } from '#server/ports/trees.ts'
import type { TreeWork } from './tree-worker.ts'

/**
 * Garbage from hashing is collected early: otherwise a thread would take as much memory as the
 * whole process may. Leaves and nodes are bytes, which do not count here; sorting takes a few dozen
 * bytes per leaf.
 */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 }

/** Makes a tree in a separate thread: a million leaves take a minute. See `MakeTree`. */
export const makeTree: MakeTree = async (kind, encoded, width, prefix = 0) => {
  // A copy if the view is only a part of its memory, which would be transferred as a whole.
  const leaves = encoded.length === encoded.buffer.byteLength ? encoded : encoded.slice()
  const work: TreeWork = { kind, encoded: leaves, width, prefix }
  const worker = new Worker(new URL('./tree-worker.ts', import.meta.url), {
    workerData: work,
    transferList: [leaves.buffer],
    resourceLimits: MEMORY,
  })
  const { promise, resolve, reject } = Promise.withResolvers<MerkleTree>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => {
    reject(new Error('The thread that makes a tree ended without one'))
  })
  try {
    return await promise
  } finally {
    await worker.terminate()
  }
}
