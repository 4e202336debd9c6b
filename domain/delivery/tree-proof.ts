/**
 * `standard`: the tree of OpenZeppelin's `standard-v1`, whose leaves are hashed twice. `layered`:
 * that of Uniswap's distributor, whose leaves are hashed once and whose odd nodes are carried up.
 */
export type TreeKind = 'standard' | 'layered'

/** How many nodes a tree with that many leaves has, including its root. */
export function nodeCount(kind: TreeKind, leafCount: number): number {
  if (kind === 'standard') return 2 * leafCount - 1
  return layerSizes(leafCount).reduce((sum, size) => sum + size, 0)
}

/**
 * The nodes that lead from a leaf to the root, by their indexes in the tree's array, which begins
 * with the root. Each in turn is hashed together with the result so far, the lesser one first.
 */
export function proofNodes(kind: TreeKind, leafCount: number, treeIndex: number): number[] {
  return kind === 'standard' ? standardProof(treeIndex) : layeredProof(leafCount, treeIndex)
}

function standardProof(treeIndex: number): number[] {
  const nodes = []
  for (let index = treeIndex; index > 0; index = (index - 1) >> 1) {
    nodes.push(index % 2 === 0 ? index - 1 : index + 1)
  }
  return nodes
}

function layeredProof(leafCount: number, treeIndex: number): number[] {
  const nodes = []
  const sizes = layerSizes(leafCount)
  let start = nodeCount('layered', leafCount) - leafCount
  let place = treeIndex - start
  for (const [layer, size] of sizes.entries()) {
    const sibling = place % 2 === 0 ? place + 1 : place - 1
    if (sibling < size) nodes.push(start + sibling)
    place >>= 1
    start -= sizes[layer + 1] ?? 0
  }
  return nodes
}

/** From the leaves up to the root. */
export function layerSizes(leafCount: number): number[] {
  const sizes = [leafCount]
  for (let size = leafCount; size > 1;) {
    size = Math.ceil(size / 2)
    sizes.push(size)
  }
  return sizes
}
