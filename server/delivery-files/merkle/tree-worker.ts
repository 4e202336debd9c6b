import { parentPort, workerData } from 'node:worker_threads'

import type { TreeKind } from '#domain/delivery/tree-proof.ts'
import { buildTree } from './build-tree.ts'

/** The thread's input: the arguments of `MakeTree`. */
export type TreeWork = {
  kind: TreeKind
  encoded: Uint8Array<ArrayBuffer>
  width: number
  prefix: number
}

const { kind, encoded, width, prefix } = workerData as TreeWork
const tree = buildTree(kind, encoded, width, prefix)
parentPort?.postMessage(tree, [tree.nodes.buffer, tree.treeIndexes.buffer])
