import * as z from 'zod/mini'

import { refundBatchStates } from '#domain/refunds/claim-states.ts'
import { payoutFormats } from '#domain/refunds/payout-formats.ts'
import { DecimalString, Instant, textUpTo } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import { OperatorClaim } from './refund-claims.ts'
import {
  AssetToken,
  inState,
  NumberId,
  operatorAct,
  operatorRead,
  pageFrom,
  Reason,
} from './shapes.ts'

/** Claims of one chain that are sent together. */
export const RefundBatch = z.object({
  id: z.string(),
  rail: z.string(),
  chain: z.string(),
  state: z.enum(refundBatchStates),
  created_date: Instant,
  closed_date: z.nullable(Instant),
  /** The transaction that an operator named. */
  named_hash: z.nullable(z.string()),
  named_explorer_url: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** How many claims it has, and how many of them are sent and confirmed. */
  claims: z.int(),
  sent: z.int(),
  confirmed: z.int(),
  /** What is to be sent in each asset, without fees: of an open batch, what was not seen yet. */
  sums: z.array(z.object({ payment_token: AssetToken, pays: DecimalString, claims: z.int() })),
  /** What it is worth now; null if no price is known. */
  amount_fiat: z.nullable(DecimalString),
})
export type RefundBatch = z.output<typeof RefundBatch>

export const RefundBatchRecord = z.object({
  ...RefundBatch.shape,
  items: z.array(OperatorClaim),
  /**
   * The transactions that operators named, the last one first, and after them those in which
   * payments were found that are not there any more.
   */
  named_transactions: z.array(
    z.object({
      hash: z.string(),
      is_named: z.boolean(),
      explorer_url: z.nullable(z.string()),
      /** How many claims of the batch it is found to pay. */
      claims: z.int(),
      /** In sentences, if it pays none: what is awaited, or what to do. */
      note: z.nullable(z.string()),
    }),
  ),
  /**
   * What came to the addresses of claims that are not found, in another amount than they ask for:
   * it does not count as paid.
   */
  other_amounts: z.array(
    z.object({
      claim_id: Id,
      address: z.string(),
      payment_token: AssetToken,
      /** What came, and what the claim asks for. */
      came: DecimalString,
      pays: DecimalString,
      hash: z.string(),
      explorer_url: z.nullable(z.string()),
    }),
  ),
  /**
   * The formats of its files, best first; none once it is sent or cancelled, and none while a named
   * transaction may still pay it, or what has replaced that one.
   */
  formats: z.array(z.enum(payoutFormats)),
  /**
   * What is to be sent, line by line, and the SHA-256 of those lines, which is also in the audit
   * log. Each file has its own hash.
   */
  manifest: z.object({
    rows: z.array(
      z.object({
        claim_id: Id,
        address: z.string(),
        payment_token: AssetToken,
        pays: DecimalString,
      }),
    ),
    sha256: z.string(),
  }),
})
export type RefundBatchRecord = z.output<typeof RefundBatchRecord>

const BatchId = NumberId('Must be the id of a batch')
const BatchParams = z.strictObject({ id: BatchId })

const HASH_FAULT = 'Give the hash of the transaction that pays it'
const NAME = z.string().check(z.minLength(1), z.maxLength(100))

export const refundBatchesContract = {
  listRefundBatches: operatorRead({
    path: '/operator/refund-batches',
    permission: 'refunds.read',
    summary: 'Lists batches of approved claims, newest first.',
    query: z.strictObject({
      state: inState(refundBatchStates),
      ...pageFrom(BatchId),
    }),
    result: z.object({ data: z.array(RefundBatch), after: z.nullable(z.string()) }),
  }),
  getRefundBatch: operatorRead({
    path: '/operator/refund-batches/{id}',
    permission: 'refunds.read',
    summary: 'Returns a batch, with its claims and what its files contain.',
    params: BatchParams,
    result: RefundBatchRecord,
  }),
  makeRefundBatch: operatorAct({
    path: '/operator/refund-batches/create',
    permission: 'refunds.pay',
    summary: 'Puts approved claims of one chain into a batch, to be sent by one wallet.',
    body: z.strictObject({
      rail: NAME,
      chain: NAME,
      /**
       * Only claims in this payment token; required for gateways, whose transactions move only one
       * asset.
       */
      payment_token_id: z.optional(NAME),
      /** Only these, at most 200; if left out, the oldest approved ones. */
      claim_ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(200))),
    }),
    status: 201,
    result: z.object({
      batch: RefundBatchRecord,
      /**
       * Approved claims whose money is gone, or was sent for a claim that had been rejected (see
       * what was paid twice in the inbox), or that have a held purchase: they are in no batch.
       */
      left_out: z.array(Id),
    }),
    mayWait: true,
    errors: ['NothingToBatch', 'ClaimClosed'],
  }),
  getRefundBatchFile: operatorRead({
    path: '/operator/refund-batches/{id}/files/{format}',
    permission: 'refunds.pay',
    summary: 'Returns a batch as a file for a wallet.',
    params: z.strictObject({
      id: BatchId,
      format: z.enum(payoutFormats, { error: 'Must be a form that the batch can be had as' }),
    }),
    result: z.object({
      name: z.string(),
      media_type: z.string(),
      text: z.string(),
      /** What to look out for when a wallet reads it, in sentences. */
      note: z.string(),
      /** The hash of the text in UTF-8, in hexadecimal. */
      sha256: z.string(),
    }),
    errors: ['BatchClosed', 'RailUnavailable'],
  }),
  nameRefundBatchHash: operatorAct({
    path: '/operator/refund-batches/{id}/sent',
    permission: 'refunds.pay',
    summary:
      'Names the transaction that pays a batch; if no chain is read, the batch is recorded as ' +
      'paid.',
    params: BatchParams,
    body: z.strictObject({ hash: textUpTo(200, HASH_FAULT, HASH_FAULT) }),
    result: RefundBatchRecord,
    errors: ['BatchClosed', 'HashUsed', 'RailUnavailable'],
  }),
  cancelRefundBatch: operatorAct({
    path: '/operator/refund-batches/{id}/cancel',
    permission: 'refunds.pay',
    summary: 'Cancels a batch that was not sent; its claims can be put into another one.',
    params: BatchParams,
    body: z.strictObject({ reason: Reason('Say in a few words why the batch is cancelled') }),
    result: RefundBatchRecord,
    errors: ['BatchClosed'],
  }),
}
