import { keccak_256 } from '@noble/hashes/sha3.js'

import { layerSizes, nodeCount, type TreeKind } from '#domain/delivery/tree-proof.ts'
import type { MerkleTree } from '#server/ports/trees.ts'

const HASH_BYTES = 32
/** As many bytes of a hash as a number represents exactly: they decide nearly every comparison. */
const KEY_BYTES = 6

/** See `MakeTree`; this version blocks its thread until it is done. */
export function buildTree(
  kind: TreeKind,
  encoded: Uint8Array,
  width: number,
  prefix = 0,
): MerkleTree {
  const leaves = hashLeaves(encoded, { width, prefix, times: kind === 'standard' ? 2 : 1 })
  const leafCount = leaves.length / HASH_BYTES
  const order = sortedOrder(leaves)
  const nodes = new Uint8Array(nodeCount(kind, leafCount) * HASH_BYTES)
  const treeIndexes = new Uint32Array(leafCount)
  const lastNode = nodes.length / HASH_BYTES - 1
  for (const [place, leaf] of order.entries()) {
    const index = kind === 'standard' ? lastNode - place : lastNode - leafCount + 1 + place
    nodes.set(hashAt(leaves, leaf), index * HASH_BYTES)
    treeIndexes[leaf] = index
  }
  if (kind === 'standard') hashStandard(nodes, leafCount)
  else hashLayers(nodes, leafCount)
  return { root: nodes.slice(0, HASH_BYTES), nodes, treeIndexes }
}

function hashLeaves(
  encoded: Uint8Array,
  { width, prefix, times }: { width: number; prefix: number; times: 1 | 2 },
): Uint8Array {
  const count = encoded.length / width
  if (!Number.isInteger(count) || count === 0) {
    throw new Error(`Not leaves of ${width} bytes: ${encoded.length} bytes`)
  }
  const hashes = new Uint8Array(count * HASH_BYTES)
  const hashed = new Uint8Array(prefix === 0 ? 0 : HASH_BYTES + width - prefix)
  for (let leaf = 0; leaf < count; leaf++) {
    const given = encoded.subarray(leaf * width, (leaf + 1) * width)
    const hash = hashAt(hashes, leaf)
    if (prefix > 0) {
      hashInto(hashed.subarray(0, HASH_BYTES), given.subarray(0, prefix))
      hashed.set(given.subarray(prefix), HASH_BYTES)
    }
    hashInto(hash, prefix > 0 ? hashed : given)
    if (times === 2) hashInto(hash, hash)
  }
  return hashes
}

const begun = keccak_256.create()
const hasher = keccak_256.create()

/**
 * Writes the Keccak-256 of some bytes, possibly over these bytes. There is one shared state: a
 * state for each of millions of hashes would fill the memory faster than it is freed.
 */
function hashInto(into: Uint8Array, bytes: Uint8Array): void {
  begun._cloneInto(hasher).update(bytes).digestInto(into)
}

/** The places of the leaves from the least hash to the greatest. */
function sortedOrder(leaves: Uint8Array): Uint32Array {
  const bytes = Buffer.from(leaves.buffer, leaves.byteOffset, leaves.length)
  const count = bytes.length / HASH_BYTES
  const keys = Float64Array.from({ length: count }, (_, leaf) =>
    bytes.readUIntBE(leaf * HASH_BYTES, KEY_BYTES),
  )
  const order = Uint32Array.from({ length: count }, (_, leaf) => leaf)
  const compare = (a: number, b: number): number => {
    const byKey = (keys[a] ?? 0) - (keys[b] ?? 0)
    return byKey || Buffer.compare(hashAt(bytes, a), hashAt(bytes, b))
  }
  order.sort(compare)
  for (const [place, leaf] of order.entries()) {
    const before = order[place - 1]
    if (before !== undefined && compare(before, leaf) === 0) {
      throw new Error(`Two leaves are alike: ${before} and ${leaf}`)
    }
  }
  return order
}

function hashStandard(nodes: Uint8Array, leafCount: number): void {
  const pair = new Uint8Array(2 * HASH_BYTES)
  for (let index = leafCount - 2; index >= 0; index--) {
    pairUp(nodes, 2 * index + 1, 2 * index + 2, pair)
    hashInto(hashAt(nodes, index), pair)
  }
}

function hashLayers(nodes: Uint8Array, leafCount: number): void {
  const pair = new Uint8Array(2 * HASH_BYTES)
  const sizes = layerSizes(leafCount)
  let start = nodeCount('layered', leafCount) - leafCount
  for (const [layer, size] of sizes.entries()) {
    const above = sizes[layer + 1]
    if (above === undefined) return
    for (let place = 0; place < above; place++) {
      const left = start + 2 * place
      const parent = hashAt(nodes, start - above + place)
      if (2 * place + 1 < size) {
        pairUp(nodes, left, left + 1, pair)
        hashInto(parent, pair)
      } else parent.set(hashAt(nodes, left))
    }
    start -= above
  }
}

/** Writes two nodes beside each other, the lesser one first. */
function pairUp(nodes: Uint8Array, left: number, right: number, pair: Uint8Array): void {
  const a = hashAt(nodes, left)
  const b = hashAt(nodes, right)
  const isSorted = Buffer.compare(a, b) <= 0
  pair.set(isSorted ? a : b, 0)
  pair.set(isSorted ? b : a, HASH_BYTES)
}

function hashAt(hashes: Uint8Array, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
}
