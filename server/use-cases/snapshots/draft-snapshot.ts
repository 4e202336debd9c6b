import { randomFillSync } from 'node:crypto'

import { SALT_BYTES } from '#domain/delivery/proof-receipt.ts'
import { add, tokenAmount } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { type OwnedPosition, readOwnedAtOnce } from '#server/database/delivery/owned-tokens.ts'
import type { Services } from '#server/services.ts'

export type SnapshotDraft = Awaited<ReturnType<typeof draftSnapshot>>

/**
 * A snapshot as it would be written: the ledger at one moment, the tree over it, which is null if
 * nobody owns any tokens, and the salts of all leaves in the order in which they are read. The
 * leaves are read again when they are written, since a million of them would fill a server's
 * memory. Locks nothing, and delays nobody.
 */
export async function draftSnapshot({ database, proofTrees }: Services) {
  const { leafWidth } = proofTrees
  let position: OwnedPosition = { lastId: null, count: 0n, tokens: tokenAmount(0n) }
  let ownerCount = 0
  let salts = new Uint8Array(0)
  let leaves = new Uint8Array(0)
  let leafCount = 0
  let tokens = tokenAmount(0n)
  const begin = (seen: OwnedPosition, owners: number) => {
    position = seen
    ownerCount = owners
    // Every leaf has at least one transfer to its owner. Memory that is never written is never
    // used.
    salts = new Uint8Array(Number(seen.count) * SALT_BYTES)
    leaves = new Uint8Array(Number(seen.count) * leafWidth)
  }
  for await (const batch of readOwnedAtOnce(database, begin)) {
    if ((leafCount + batch.length) * leafWidth > leaves.length) throw booksDisagree()
    randomFillSync(salts, leafCount * SALT_BYTES, batch.length * SALT_BYTES)
    for (const leaf of batch) {
      proofTrees.writeLeaf(leaves, leafCount, { ...leaf, salt: saltOf(salts, leafCount) })
      tokens = add(tokens, leaf.tokens)
      leafCount += 1
    }
  }
  const written = new Uint8Array(leaves.buffer.transfer(leafCount * leafWidth))
  const tree = leafCount === 0 ? null : await proofTrees.make(written)
  return { position, leafCount, ownerCount, tokens, salts, tree }
}

export function saltOf(salts: Uint8Array, leaf: number): Uint8Array {
  return salts.subarray(leaf * SALT_BYTES, (leaf + 1) * SALT_BYTES)
}

export function booksDisagree(): Refusal {
  return new Refusal('BooksDisagree', {
    message: 'The ledger and the purchases do not have the same tokens. Audit the books first',
  })
}
