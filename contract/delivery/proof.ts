import * as z from 'zod/mini'

import { LEAF_ENCODING, RECEIPT_FORMAT } from '#domain/delivery/proof-receipt.ts'
import { DecimalString, Instant, textLike } from '#contract/values.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, pageLimit } from '#contract/shapes.ts'

/** 32 bytes in hexadecimal. */
const Word = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

/** What anyone may know about a snapshot, so that nobody can be left out unnoticed. */
export const PublicSnapshot = z.object({
  /** Starts at 1; each later snapshot corrects the one before. */
  number: z.int(),
  taken_date: Instant,
  /** The root of the tree of salted leaves. */
  root: Word,
  tokens: DecimalString,
  /** How many purchases and rewards it contains. */
  leaves: z.int(),
})
export type PublicSnapshot = z.output<typeof PublicSnapshot>

/** Proves that a purchase is in a snapshot; whoever has this file can check it on their own. */
export const ProofReceipt = z.object({
  format: z.literal(RECEIPT_FORMAT),
  snapshot: z.int(),
  root: Word,
  /** The types of `value`, as `@openzeppelin/merkle-tree` encodes them (`standard-v1`). */
  leaf_encoding: z.tuple([z.literal(LEAF_ENCODING[0]), z.literal(LEAF_ENCODING[1])]),
  purchase_id: Id,
  /** Random, and known only to the buyer: without it nobody can guess what the leaf says. */
  salt: Word,
  /** keccak256(salt ‖ the 16 bytes of the id), and the tokens in base units. */
  value: z.tuple([Word, z.string().check(z.regex(/^\d+$/))]),
  /** The sibling nodes on the path from the leaf up to the root. */
  proof: z.array(Word),
})

const SnapshotNumber = z.pipe(
  textLike(/^[1-9]\d{0,8}$/, 'Must be the number of a snapshot'),
  z.transform(Number),
)

/** The proof that every purchase is in the list of who owns what. */
export const proofContract = {
  getProof: endpoint({
    method: 'GET',
    path: '/proof',
    access: 'open',
    sameForAll: true,
    summary:
      'Lists the snapshots of who owns how many tokens, with the root, total and count of each.',
    result: z.object({ snapshots: z.array(PublicSnapshot) }),
  }),
  listProofReceipts: endpoint({
    method: 'GET',
    path: '/proof/receipts',
    access: 'user',
    summary:
      'Lists the receipts that prove that the caller’s purchases and rewards are in a snapshot.',
    query: z.strictObject({
      /** The latest one if left out. */
      snapshot: z.optional(SnapshotNumber),
      /** Only for this purchase or reward. */
      purchase_id: z.optional(Id),
      /** The first item of the page, inclusive. */
      after: z.optional(Id),
      limit: pageLimit(50),
    }),
    result: z.object({ data: z.array(ProofReceipt), after: z.nullable(Id) }),
  }),
}
