import type { TreeKind } from '#domain/delivery/tree-proof.ts'

/**
 * Makes a Merkle tree beside the event loop.
 *
 * `encoded` holds the leaves as they are before they are hashed, `width` bytes each, one after the
 * other: `abi.encode` of its values for a `standard` tree, `abi.encodePacked` for a `layered` one.
 * Its memory is handed over: it is empty afterwards. There must be one leaf at least, and no two
 * alike. The first `prefix` bytes of each leaf, if any, are replaced by their hash before.
 */
export type MakeTree = (
  kind: TreeKind,
  encoded: Uint8Array<ArrayBuffer>,
  width: number,
  prefix?: number,
) => Promise<MerkleTree>

export type MerkleTree = {
  root: Uint8Array
  /** 32 bytes each, the root first; see `proofNodes` for which of them prove a leaf. */
  nodes: Uint8Array<ArrayBuffer>
  /** Where each leaf stands in `nodes`, in the order in which the leaves were given. */
  treeIndexes: Uint32Array<ArrayBuffer>
}

/** One leaf for each purchase or reward, which nobody can guess who does not know its salt. */
export type ProofTrees = {
  /** What stands in a leaf for an id: keccak256(salt ‖ the 16 bytes of the id). */
  hashId(salt: Uint8Array, id: string): Uint8Array
  /** How many bytes {@link writeLeaf} writes. */
  leafWidth: number
  /** Writes a leaf behind so many others, as `make` reads it. */
  writeLeaf(
    into: Uint8Array,
    place: number,
    leaf: { causeId: string; salt: Uint8Array; tokens: bigint },
  ): void
  /** The `standard` tree of leaves that were written. Their memory is handed over. */
  make(leaves: Uint8Array<ArrayBuffer>): Promise<MerkleTree>
}
