import { nodeCount, proofNodes } from '#domain/delivery/tree-proof.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import type { FileContent } from '#server/ports/distribution-files.ts'

const HASH_BYTES = 32

/** The dump of `StandardMerkleTree` (@openzeppelin/merkle-tree), as `JSON.stringify` writes it. */
export async function* writeStandardTree(content: FileContent): AsyncGenerator<string> {
  yield '{"format":"standard-v1","leafEncoding":["address","uint256"],"tree":['
  let separator = ''
  for await (const piece of content.nodes()) {
    const hashes = hashesIn(piece).map((hash) => `"${hash}"`)
    yield separator + hashes.join(',')
    separator = ','
  }
  yield '],"values":['
  separator = ''
  for await (const rows of content.rows(0, content.rowCount)) {
    const values = rows.map(
      ({ address, amount, treeIndex }) =>
        `{"value":["${address}","${amount}"],"treeIndex":${treeIndex}}`,
    )
    yield separator + values.join(',')
    separator = ','
  }
  yield ']}'
}

/** As Uniswap's `parseBalanceMap` writes it: with the proof of each wallet, amounts in hex. */
export async function* writeUniswapTree(content: FileContent): AsyncGenerator<string> {
  const kind = toolTraits[content.tool].tree
  if (kind === null) throw new Error(`${content.tool} has no tree`)
  const tree = new Uint8Array(nodeCount(kind, content.rowCount) * HASH_BYTES)
  let end = 0
  for await (const piece of content.nodes()) {
    tree.set(piece, end)
    end += piece.length
  }
  const hash = (node: number) =>
    `"${hexOf(tree.subarray(node * HASH_BYTES, (node + 1) * HASH_BYTES))}"`
  yield `{"merkleRoot":${hash(0)},"tokenTotal":"${evenHex(content.amount)}","claims":{`
  let separator = ''
  for await (const rows of content.rows(0, content.rowCount)) {
    const claims = rows.map(({ place, address, amount, treeIndex }) => {
      const proof = proofNodes(kind, content.rowCount, treeIndex ?? 0).map(hash)
      return `"${address}":{"index":${place},"amount":"${evenHex(amount)}","proof":[${proof.join(',')}]}`
    })
    yield separator + claims.join(',')
    separator = ','
  }
  yield '}}'
}

/** With a digit for every half byte, as `BigNumber.toHexString` writes it. */
function evenHex(amount: bigint): string {
  const hex = amount.toString(16)
  return `0x${hex.length % 2 === 0 ? hex : `0${hex}`}`
}

function hashesIn(nodes: Uint8Array): string[] {
  return Array.from({ length: nodes.length / HASH_BYTES }, (_, nth) =>
    hexOf(nodes.subarray(nth * HASH_BYTES, (nth + 1) * HASH_BYTES)),
  )
}

function hexOf(hash: Uint8Array): string {
  return `0x${Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex')}`
}
