import { SimpleMerkleTree, StandardMerkleTree } from '@openzeppelin/merkle-tree'
import fc from 'fast-check'
import { bytesToHex, encodeAbiParameters, hexToBytes, keccak256, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'

import { proofNodes, type TreeKind } from '#domain/delivery/tree-proof.ts'
import { buildTree } from './build-tree.ts'
import { makeTree } from './make-tree.ts'

const WIDTH = 64

const leafValues = fc.uniqueArray(
  fc.tuple(fc.bigInt(1n, 2n ** 160n - 1n), fc.bigInt(1n, 10n ** 31n)),
  { minLength: 1, maxLength: 70, selector: ([address]) => address },
)

function encode(values: readonly (readonly [bigint, bigint])[]): Uint8Array<ArrayBuffer> {
  const encoded = values.map(([address, amount]) => encodeOne(address, amount).slice(2))
  return new Uint8Array(hexToBytes(`0x${encoded.join('')}`))
}

function encodeOne(address: bigint, amount: bigint) {
  const hex = numberToHex(address, { size: 20 })
  return encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [hex, amount])
}

const nodesOf = (nodes: Uint8Array) =>
  Array.from({ length: nodes.length / 32 }, (_, index) =>
    bytesToHex(nodes.subarray(index * 32, (index + 1) * 32)),
  )

/** How many leaves are proved up to the root. */
function provesEach(kind: TreeKind, encoded: Uint8Array): number {
  const { nodes, treeIndexes } = buildTree(kind, encoded, WIDTH)
  const hex = nodesOf(nodes)
  let proved = 0
  for (const [leaf, treeIndex] of treeIndexes.entries()) {
    const once = keccak256(encoded.subarray(leaf * WIDTH, (leaf + 1) * WIDTH))
    let hash = kind === 'standard' ? keccak256(once) : once
    expect(hex[treeIndex]).toBe(hash)
    for (const node of proofNodes(kind, treeIndexes.length, treeIndex)) {
      const sibling = hex[node] ?? '0x'
      const [first, second] = hash < sibling ? [hash, sibling] : [sibling, hash]
      hash = keccak256(`0x${first.slice(2)}${second.slice(2)}`)
    }
    if (hash === hex[0]) proved += 1
  }
  return proved
}

describe('a standard tree', () => {
  it('has the nodes and proofs of @openzeppelin/merkle-tree', () => {
    fc.assert(
      fc.property(leafValues, (values) => {
        const theirs = StandardMerkleTree.of(
          values.map(([address, amount]) => [numberToHex(address, { size: 20 }), String(amount)]),
          ['address', 'uint256'],
        )
        const ours = buildTree('standard', encode(values), WIDTH)
        const dump = theirs.dump()
        expect(nodesOf(ours.nodes)).toEqual(dump.tree)
        expect([...ours.treeIndexes]).toEqual(dump.values.map(({ treeIndex }) => treeIndex))
        const hex = nodesOf(ours.nodes)
        for (const [leaf, treeIndex] of ours.treeIndexes.entries()) {
          const proof = proofNodes('standard', values.length, treeIndex).map((node) => hex[node])
          expect(proof).toEqual(theirs.getProof(leaf))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('takes a leaf alone for its root', () => {
    const encoded = encode([[1n, 2n]])
    const { root, nodes } = buildTree('standard', encoded, WIDTH)
    expect(bytesToHex(root)).toBe(keccak256(keccak256(encoded)))
    expect(nodes).toHaveLength(32)
  })
})

describe('a layered tree', () => {
  it('proves every leaf, whatever their number', () => {
    fc.assert(
      fc.property(leafValues, (values) => {
        expect(provesEach('layered', encode(values))).toBe(values.length)
      }),
      { numRuns: 40 },
    )
  })

  it('is as complete as the standard one where the leaves are a power of two', () => {
    const values = Array.from({ length: 8 }, (_, nth) => [BigInt(nth + 1), 5n] as const)
    const hashes = values.map(([address, amount]) => keccak256(encodeOne(address, amount)))
    const theirs = SimpleMerkleTree.of(hashes.toSorted(), { sortLeaves: false })
    expect(bytesToHex(buildTree('layered', encode(values), WIDTH).root)).toBe(theirs.root)
  })

  it('carries an odd node up', () => {
    const values = [1n, 2n, 3n].map((address) => [address, 5n] as const)
    const hashes = values.map(([address, amount]) => keccak256(encodeOne(address, amount)))
    const [a, b, c] = hashes.toSorted() as [string, string, `0x${string}`]
    const pair = keccak256(`0x${a.slice(2)}${b.slice(2)}`)
    const [first, second] = [pair, c].toSorted() as [string, string]
    const { root } = buildTree('layered', encode(values), WIDTH)
    expect(bytesToHex(root)).toBe(keccak256(`0x${first.slice(2)}${second.slice(2)}`))
  })
})

it('refuses no leaves, half a leaf and two alike', () => {
  expect(() => buildTree('standard', new Uint8Array(0), WIDTH)).toThrow('Not leaves')
  expect(() => buildTree('standard', new Uint8Array(65), WIDTH)).toThrow('Not leaves')
  expect(() => buildTree('layered', new Uint8Array(128), WIDTH)).toThrow('Two leaves are alike')
})

it('is made in a thread of its own, which passes a fault on', async () => {
  const values = [1n, 2n, 3n].map((address) => [address, 5n] as const)
  const made = await makeTree('standard', encode(values), WIDTH)
  expect(made).toEqual(buildTree('standard', encode(values), WIDTH))
  await expect(makeTree('standard', new Uint8Array(128), WIDTH)).rejects.toThrow('alike')
})
