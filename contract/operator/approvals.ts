import * as z from 'zod/mini'

import { approvalStates } from '#domain/operators/approval-states.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { operatorEndpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/shapes.ts'
import { Instant, textLike } from '#contract/values.ts'
import { inState, ItemParams, OperatorRefund, pageFrom, Reason, operatorRead } from './shapes.ts'

/**
 * Who asked or decided. Without an id it was done with the server's token, and the name is the
 * unverified one given with it.
 */
const ByWhom = z.object({ id: z.nullable(Id), name: z.nullable(z.string()) })

/** An act that waits, or has waited, for a second person. */
export const Approval = z.object({
  id: Id,
  act: z.string(),
  /** What is asked for, in a sentence. */
  summary: z.string(),
  /** The purchase, receipt or sale file that it is about; null for the sale as a whole. */
  about: z.nullable(z.string()),
  /** The input of the call, as it will be executed. */
  input: z.record(z.string(), z.unknown()),
  /** SHA-256 of act and input, with which the approver states what they have seen. */
  hash: z.string(),
  /** What is at stake, in dollars; null if it is not money. */
  amount_fiat: z.nullable(z.string()),
  state: z.enum(approvalStates),
  asked_by: ByWhom,
  /** The person responsible: who asked, or who made the key that did. They may not approve it. */
  asked_person_id: z.nullable(Id),
  asked_date: Instant,
  permission: z.enum(permissions),
  expires_date: Instant,
  decided_by: z.nullable(ByWhom),
  decided_date: z.nullable(Instant),
  /** Why it was refused, or why it could not be executed. */
  reason: z.nullable(z.string()),
})
export type Approval = z.output<typeof Approval>

/** An approval with what its approver has to know beyond the input. */
export const ApprovalRecord = z.object({
  ...Approval.shape,
  /**
   * The refund that would be marked as paid, or was; null for other acts, and if nothing is owed
   * any more.
   */
  refund: z.nullable(
    z.object({
      ...OperatorRefund.shape,
      /** Where the transaction that is said to have paid it can be seen. */
      sent_explorer_url: z.nullable(z.string()),
    }),
  ),
})
export type ApprovalRecord = z.output<typeof ApprovalRecord>

/** The reply, with status 202, to a call that waits for a second person. */
export const WaitsForApproval = z.object({ approval: Approval })

/** What waits for a second person, and what becomes of it. */
export const approvalsContract = {
  listApprovals: operatorRead({
    path: '/operator/approvals',
    permission: 'approvals.read',
    summary: 'Lists what waits for a second person, or was decided, newest first.',
    query: z.strictObject({
      state: inState(approvalStates),
      ...pageFrom(Id),
    }),
    result: z.object({ data: z.array(Approval), after: z.nullable(Id) }),
  }),
  getApproval: operatorRead({
    path: '/operator/approvals/{id}',
    permission: 'approvals.read',
    summary: 'Returns an approval, with everything that it would do.',
    params: ItemParams,
    result: ApprovalRecord,
  }),
  approveAct: operatorEndpoint({
    method: 'POST',
    path: '/operator/approvals/{id}/approve',
    permission: 'approvals.read',
    summary:
      'Approves what another person asked for, which carries it out. The approver must be a ' +
      'person who may do it too.',
    params: ItemParams,
    body: z.strictObject({
      /** The hash of what was seen, in hexadecimal. */
      hash: textLike(
        /^[0-9a-f]{64}$/,
        'Send the hash of what you have seen: 64 hexadecimal digits',
      ),
    }),
    result: Approval,
    errors: ['OwnApproval', 'ApprovalClosed', 'ApprovalChanged'],
  }),
  refuseAct: operatorEndpoint({
    method: 'POST',
    path: '/operator/approvals/{id}/refuse',
    permission: 'approvals.read',
    summary: 'Refuses what another person asked for. This also takes a person who may do it too.',
    params: ItemParams,
    body: z.strictObject({ reason: Reason('Say in a few words why it is refused') }),
    result: Approval,
    errors: ['OwnApproval', 'ApprovalClosed'],
  }),
  withdrawAct: operatorEndpoint({
    method: 'POST',
    path: '/operator/approvals/{id}/withdraw',
    permission: 'approvals.read',
    summary: 'Withdraws what the caller asked for.',
    params: ItemParams,
    result: Approval,
    errors: ['OwnApproval', 'ApprovalClosed'],
  }),
}
