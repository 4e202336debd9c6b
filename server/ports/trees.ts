import type { TreeKind } from '#domain/delivery/tree-proof.ts'

/**
 * Makes a Merkle tree without blocking the event loop.
 *
 * `encoded` holds the leaves before they are hashed, `width` bytes each, one after the other:
 * `abi.encode` of its values for a `standard` tree, `abi.encodePacked` for a `layered` one. Its
 * memory is transferred: it is empty afterwards. There must be at least one leaf, and no two may be
 * equal. The first `prefix` bytes of each leaf, if any, are replaced with their hash first.
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
  /** The place of each leaf in `nodes`, in the order in which the leaves were given. */
  treeIndexes: Uint32Array<ArrayBuffer>
}

/** A leaf for each purchase or reward, which nobody can guess without its salt. */
export type ProofTrees = {
  /** What a leaf contains instead of an id: keccak256(salt ‖ the 16 bytes of the id). */
  hashId(salt: Uint8Array, id: string): Uint8Array
  /** How many bytes {@link writeLeaf} writes. */
  leafWidth: number
  /** Writes a leaf after that many others, as `make` reads it. */
  writeLeaf(
    into: Uint8Array,
    place: number,
    leaf: { causeId: string; salt: Uint8Array; tokens: bigint },
  ): void
  /** The `standard` tree of the written leaves. Their memory is transferred. */
  make(leaves: Uint8Array<ArrayBuffer>): Promise<MerkleTree>
}
