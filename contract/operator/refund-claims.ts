import * as z from 'zod/mini'

import { refundClaimStates } from '#domain/refunds/claim-states.ts'
import { refundReasons } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant, textUpTo } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import {
  AskedAct,
  AssetToken,
  EndedMark,
  inState,
  ItemParams,
  operatorAct,
  operatorRead,
  pageFrom,
  Person,
  Reason,
} from './shapes.ts'

export const OperatorClaim = z.object({
  id: Id,
  user: Person,
  payment_token: AssetToken,
  rail: z.string(),
  chain: z.string(),
  address: z.string(),
  amount: DecimalString,
  fee: DecimalString,
  /** What is to be sent: the amount minus the fee. */
  pays: DecimalString,
  /** What `amount` is worth now; null if no price is known. */
  amount_fiat: z.nullable(DecimalString),
  state: z.enum(refundClaimStates),
  claimed_date: Instant,
  /** It can be approved from then on. */
  approvable_date: Instant,
  /** Requests to approve it, or to send it, that are not done yet, oldest first. */
  asked_acts: z.array(AskedAct),
  approved_date: z.nullable(Instant),
  batch_id: z.nullable(z.string()),
  transaction_hash: z.nullable(z.string()),
  explorer_url: z.nullable(z.string()),
  confirmations: z.nullable(z.int()),
  required_confirmations: z.nullable(z.int()),
  closed_date: z.nullable(Instant),
  reason: z.nullable(z.string()),
  /** False if money it is for is gone from its chain: then it is left out of batches. */
  is_covered: z.boolean(),
  /**
   * True if an operator holds one of its purchases: then it is not approved, and left out of
   * batches.
   */
  is_held: z.boolean(),
  parts: z.array(
    z.object({
      receipt_id: Id,
      purchase_id: Id,
      amount: DecimalString,
      reason: z.enum(refundReasons),
      is_covered: z.boolean(),
      /** As of a refund, until the claim is in a batch. */
      ended_mark: z.nullable(EndedMark),
    }),
  ),
})
export type OperatorClaim = z.output<typeof OperatorClaim>

const ADDRESS_FAULT = 'Give the address of the claim, as you have seen it'

export const refundClaimsContract = {
  listRefundClaims: operatorRead({
    path: '/operator/refund-claims',
    permission: 'refunds.read',
    summary: 'Lists buyers’ claims to what is owed back, in one state or all, oldest first.',
    query: z.strictObject({
      state: inState(refundClaimStates),
      ...pageFrom(Id),
    }),
    result: z.object({
      data: z.array(OperatorClaim),
      after: z.nullable(Id),
      counts: z.record(z.enum(refundClaimStates), z.int()),
    }),
  }),
  getRefundClaim: operatorRead({
    path: '/operator/refund-claims/{id}',
    permission: 'refunds.read',
    summary: 'Returns a refund claim.',
    params: ItemParams,
    result: OperatorClaim,
  }),
  approveRefundClaim: operatorAct({
    path: '/operator/refund-claims/{id}/approve',
    permission: 'refunds.approve',
    summary: 'Approves a claim, once the buyer has had a day to cancel it: its amount is promised.',
    params: ItemParams,
    body: z.strictObject({
      /** As they were seen: refused if the claim differs. */
      amount: DecimalString.check(z.maxLength(100)),
      address: textUpTo(200, ADDRESS_FAULT, ADDRESS_FAULT),
    }),
    result: OperatorClaim,
    mayWait: true,
    errors: ['ClaimClosed', 'ClaimChanged', 'ClaimTooEarly', 'RefundChanged'],
  }),
  rejectRefundClaim: operatorAct({
    path: '/operator/refund-claims/{id}/reject',
    permission: 'refunds.approve',
    summary:
      'Rejects a claim that is in no batch, and mails the buyer why; its amount is owed as before.',
    params: ItemParams,
    body: z.strictObject({
      /** The buyer reads it. */
      reason: Reason('Say in a few words, to the buyer, why the claim is rejected'),
    }),
    result: OperatorClaim,
    errors: ['ClaimClosed'],
  }),
}
