import {
  hexOf,
  LEAF_ENCODING,
  type ProofReceipt,
  RECEIPT_FORMAT,
  receiptNodes,
} from '#domain/delivery/proof-receipt.ts'
import { Refusal } from '#domain/refusal.ts'
import { listOwnLeaves, listSnapshots } from '#server/database/delivery/snapshots.ts'
import { findNodes } from '#server/database/delivery/tree-nodes.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

export type ReceiptQuestion = {
  /** The last snapshot if left out. */
  snapshot?: number | undefined
  purchaseId?: string | undefined
  after?: string | undefined
  limit: number
}

/**
 * What proves that the caller's purchases and rewards are in a snapshot; empty before the first.
 * Refuses with `NotFound` if there is no such snapshot.
 */
export async function listReceipts(
  { database, proofTrees }: Services,
  { snapshot: number, purchaseId, after, limit }: ReceiptQuestion,
  caller: Caller,
) {
  const snapshots = await listSnapshots(database)
  const wanted =
    number === undefined ? snapshots.at(-1) : snapshots.find((each) => each.number === number)
  if (wanted === undefined && number !== undefined) throw new Refusal('NotFound')
  if (wanted === undefined) return { items: [], after: null }
  const leaves = await listOwnLeaves(database, {
    number: wanted.number,
    userId: caller.userId,
    causeId: purchaseId ?? null,
    after: after ?? null,
    countMax: limit + 1,
  })
  const shown = leaves.slice(0, limit)
  const nodeAt = await findNodes(
    database,
    { snapshot: wanted.number },
    shown.flatMap(({ treeIndex }) => receiptNodes(treeIndex)),
  )
  const items = shown.map(({ causeId, salt, tokens, treeIndex }): ProofReceipt => ({
    format: RECEIPT_FORMAT,
    snapshot: wanted.number,
    root: hexOf(wanted.root),
    leaf_encoding: LEAF_ENCODING,
    purchase_id: causeId,
    salt: hexOf(salt),
    value: [hexOf(proofTrees.hashId(salt, causeId)), String(tokens)],
    proof: receiptNodes(treeIndex).map((index) => hexOf(nodeAt(index))),
  }))
  return { items, after: leaves[limit]?.causeId ?? null }
}

/** What is public about each snapshot, the first one first. */
export async function listPublicSnapshots({ database }: Services) {
  return await listSnapshots(database)
}
