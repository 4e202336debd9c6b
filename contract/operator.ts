import * as z from 'zod/mini'
import { DecimalString } from './amounts.ts'
import { endpoint } from './endpoint.ts'
import {
  Allocation,
  Flag,
  Limit,
  OperatorAction,
  OperatorHeaders,
  OperatorPurchase,
  OperatorRefund,
  OwedTotal,
  PurchaseRecord,
  Reason,
  UserState,
} from './operator-shapes.ts'
import { Id, TransactionStatus } from './shapes.ts'
import { Instant } from './instant.ts'

/** The state of the sale and of its checks. */
export const SaleState = z.object({
  status: z.enum(['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED']),
  /** The stage that is on sale, or would be if the sale were not paused. */
  stage: z.nullable(z.string()),
  /** When the sale or its next stage starts, while it has not. */
  starts_date: z.nullable(Instant),
  pause: z.nullable(z.object({ reason: z.nullable(z.string()), since: z.nullable(Instant) })),
  /** The last check that the books agree; null before the first one. */
  check: z.nullable(
    z.object({
      checked_date: Instant,
      duration_ms: z.int(),
      /** The faults found. `is_accepted`: the sale was resumed in spite of it. */
      breaches: z.array(
        z.object({ check: z.string(), fault: z.string(), is_accepted: z.boolean() }),
      ),
      not_run: z.array(z.object({ check: z.string(), fault: z.string() })),
    }),
  ),
  /** `uncovered`: paid back for money that a reorganisation has taken away since. */
  refunds: z.object({ open: z.int(), paid: z.int(), uncovered: z.int() }),
  /** Every chain and gateway that is watched, as the instance that answers sees it. */
  chains: z.array(
    z.object({
      name: z.string(),
      /** Why the last reading of it did not work; null where it did. */
      fault: z.nullable(z.string()),
      /** The last block that was read; null where none was. */
      height: z.nullable(z.int()),
      /** Up to when everything on it is known. */
      read_through_date: z.nullable(Instant),
      /** How long ago a reading worked; null where none has since the start of the instance. */
      read_seconds_ago: z.nullable(z.int()),
      /** The payment tokens of the chain, with the reason where one is unavailable. */
      payment_tokens: z.array(z.object({ id: z.string(), fault: z.nullable(z.string()) })),
    }),
  ),
})
export type SaleState = z.output<typeof SaleState>

/** The id of a receipt, as the list of refunds has it. */
const ReceiptParams = z.strictObject({ id: z.string() })
const PurchaseParams = z.strictObject({ id: z.string() })
/** An email address or an id. */
const UserParams = z.strictObject({ id: z.string() })

const ActionId = z.pipe(
  z.string().check(z.regex(/^\d{1,18}$/, { error: 'Must be the id of an action' })),
  z.transform((text: string) => BigInt(text)),
)

const HASH_FAULT = 'Give the hash of the transaction that paid it back'

/**
 * What an operator does while the sale runs. `npm run operator` makes its commands from these: the
 * path below `/operator` is the command, the path's parameters stand after it in their order, and
 * each field of the body or the query is an option of its name.
 */
export const operatorContract = {
  getSaleState: endpoint({
    method: 'GET',
    path: '/operator/status',
    access: 'operator',
    summary: 'How the sale stands, why it is paused, and what the last check of the books found.',
    result: SaleState,
    errors: [],
  }),
  pauseSale: endpoint({
    method: 'POST',
    path: '/operator/pause',
    access: 'operator',
    summary: 'Pauses the sale: nothing new is sold, and what was bought is still settled.',
    body: z.strictObject({
      /** For operators; buyers do not see it. */
      reason: Reason('Say in a few words why the sale is paused'),
    }),
    result: SaleState,
    errors: [],
  }),
  resumeSale: endpoint({
    method: 'POST',
    path: '/operator/resume',
    access: 'operator',
    summary: 'Checks the books and lets a paused sale go on where they agree, or by force.',
    body: z.strictObject({
      /** Resumes despite current breaches; the same ones do not pause the sale again. */
      force: z._default(z.boolean({ error: 'Must be true or false' }), false),
    }),
    result: SaleState,
    errors: ['BooksDisagree'],
  }),
  listRefunds: endpoint({
    method: 'GET',
    path: '/operator/refunds',
    access: 'operator',
    summary: 'Every amount that is owed back, the longest owed first; by --all those paid as well.',
    query: z.strictObject({
      all: Flag,
      /** The `after` of the previous page. */
      after: z.optional(z.string()),
      limit: Limit,
    }),
    result: z.object({
      data: z.array(OperatorRefund),
      /** Where the next page begins. */
      after: z.nullable(z.string()),
      /** What is owed in all, by payment token. */
      owed: z.array(OwedTotal),
    }),
    errors: [],
  }),
  payRefund: endpoint({
    method: 'POST',
    path: '/operator/refunds/{id}/pay',
    access: 'operator',
    summary:
      'Marks what is owed of a receipt as paid back by a transaction, for good, and tells the buyer.',
    params: ReceiptParams,
    headers: OperatorHeaders,
    body: z.strictObject({
      /** Of the transaction that paid it back. */
      hash: z
        .string({ error: HASH_FAULT })
        .check(z.maxLength(200, { error: HASH_FAULT }), z.minLength(1, { error: HASH_FAULT })),
      /** The amount that was sent, as listed: refused if another amount is owed by now. */
      amount: z.optional(DecimalString.check(z.maxLength(100))),
      /** The same transaction has paid another refund too. */
      shared: z._default(z.boolean({ error: 'Must be true or false' }), false),
    }),
    result: OperatorRefund,
    errors: ['RefundNotOwed', 'RefundChanged', 'HashUsed'],
  }),
  searchPurchases: endpoint({
    method: 'GET',
    path: '/operator/purchases',
    access: 'operator',
    summary: 'Purchases of everybody, the newest first.',
    query: z.strictObject({
      status: z.optional(TransactionStatus),
      /** Of the buyer. */
      email: z.optional(z.string().check(z.maxLength(254))),
      id: z.optional(Id),
      /** That was to be paid to. */
      address: z.optional(z.string().check(z.maxLength(200))),
      /** The first item of the page, inclusive. */
      after: z.optional(Id),
      limit: Limit,
    }),
    result: z.object({ data: z.array(OperatorPurchase), after: z.nullable(Id) }),
    errors: [],
  }),
  getPurchaseRecord: endpoint({
    method: 'GET',
    path: '/operator/purchases/{id}',
    access: 'operator',
    summary: 'One purchase in full: receipts, refunds, history, ledger, and who acted on it.',
    params: PurchaseParams,
    result: PurchaseRecord,
    errors: [],
  }),
  holdPurchase: endpoint({
    method: 'POST',
    path: '/operator/purchases/{id}/hold',
    access: 'operator',
    summary: 'Credits nothing for a purchase until it is released; what it has is taken back.',
    params: PurchaseParams,
    headers: OperatorHeaders,
    body: z.strictObject({ reason: Reason('Say in a few words why the purchase is held') }),
    result: PurchaseRecord,
    errors: [],
  }),
  releasePurchase: endpoint({
    method: 'POST',
    path: '/operator/purchases/{id}/release',
    access: 'operator',
    summary: 'Lets a purchase go on that was held or failed by an operator.',
    params: PurchaseParams,
    headers: OperatorHeaders,
    body: z.strictObject({ reason: Reason('Say in a few words why the purchase goes on') }),
    result: PurchaseRecord,
    errors: ['NotMarked'],
  }),
  failPurchase: endpoint({
    method: 'POST',
    path: '/operator/purchases/{id}/fail',
    access: 'operator',
    summary: 'Ends a purchase: its tokens are free again, and all that was paid is owed back.',
    params: PurchaseParams,
    headers: OperatorHeaders,
    body: z.strictObject({ reason: Reason('Say in a few words why the purchase fails') }),
    result: PurchaseRecord,
    errors: [],
  }),
  listAllocations: endpoint({
    method: 'GET',
    path: '/operator/allocations',
    access: 'operator',
    summary: 'Who is owed how many tokens, as CSV; one snapshot, whose sum is the ledger’s.',
    headers: OperatorHeaders,
    status: 200,
    rows: Allocation,
    errors: [],
  }),
  requirePasswordChange: endpoint({
    method: 'POST',
    path: '/operator/users/{id}/require-password-change',
    access: 'operator',
    summary:
      'Lets a user, named by email address or id, do nothing before choosing a new password.',
    params: UserParams,
    headers: OperatorHeaders,
    result: UserState,
    errors: [],
  }),
  endUserTwoFactor: endpoint({
    method: 'POST',
    path: '/operator/users/{id}/end-two-factor',
    access: 'operator',
    summary: 'Turns two-factor login off for a user, named by email address or id, who is told.',
    params: UserParams,
    headers: OperatorHeaders,
    result: UserState,
    errors: ['TwoFactorNotOn'],
  }),
  endUserSessions: endpoint({
    method: 'POST',
    path: '/operator/users/{id}/end-sessions',
    access: 'operator',
    summary: 'Logs a user out everywhere, named by email address or id.',
    params: UserParams,
    headers: OperatorHeaders,
    result: UserState,
    errors: [],
  }),
  listActions: endpoint({
    method: 'GET',
    path: '/operator/actions',
    access: 'operator',
    summary: 'What operators did, the newest first: who, when, from where and what.',
    query: z.strictObject({
      /** The first item of the page, inclusive. */
      after: z.optional(ActionId),
      limit: Limit,
    }),
    result: z.object({ data: z.array(OperatorAction), after: z.nullable(z.string()) }),
    errors: [],
  }),
}
