import { keccak256 } from 'viem'

import { SALT_BYTES, saltedId } from '#domain/delivery/proof-receipt.ts'
import type { ProofTrees } from '#server/ports/trees.ts'
import { makeTree } from './merkle/make-tree.ts'

const ID_BYTES = 16
const WORD_BYTES = 32
/** Salt and id, which the tree's thread hashes into one word. */
const PREFIX = SALT_BYTES + ID_BYTES
const LEAF_BYTES = PREFIX + WORD_BYTES

/** See `ProofTrees`. All hashing happens in the thread that makes the tree. */
export const proofTrees: ProofTrees = {
  hashId: (salt, id) => saltedId((bytes) => keccak256(bytes, 'bytes'), salt, id),
  leafWidth: LEAF_BYTES,
  writeLeaf(into, place, { causeId, salt, tokens }) {
    const leaf = Buffer.from(into.buffer, into.byteOffset + place * LEAF_BYTES, LEAF_BYTES)
    leaf.set(salt)
    leaf.write(causeId.replaceAll('-', ''), SALT_BYTES, 'hex')
    leaf.write(tokens.toString(16).padStart(2 * WORD_BYTES, '0'), PREFIX, 'hex')
  },
  make: (leaves) => makeTree('standard', leaves, LEAF_BYTES, PREFIX),
}
