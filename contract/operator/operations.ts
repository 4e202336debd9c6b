import * as z from 'zod/mini'
import { purchaseSortings, refundStates } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant, InstantInput, textUpTo } from '#contract/values.ts'
import { operatorEndpoint } from '#contract/endpoint.ts'
import {
  Allocation,
  AssetToken,
  EndMoment,
  Flag,
  ItemParams,
  Moment,
  NumberId,
  OperatorAction,
  operatorAct,
  operatorRead,
  OperatorHeaders,
  OperatorPurchase,
  OperatorRefund,
  OwedTotal,
  pageFrom,
  PurchaseRecord,
  Reason,
  RowsForm,
} from './shapes.ts'
import { Id, TransactionStatus } from '#contract/shapes.ts'

const Fault = z.object({ name: z.string(), check: z.string(), fault: z.string() })

export const SaleState = z.object({
  status: z.enum(['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED']),
  /** The stage that is on sale, or would be if the sale were not paused. */
  stage: z.nullable(z.string()),
  /** When the sale or its next stage starts, until it has started. */
  starts_date: z.nullable(Instant),
  /** Which version the instance that replies is: the commit that it was built from. */
  version: z.string(),
  /**
   * Set if the instance that replies cannot follow the applied sale file, so that it sells nothing,
   * whatever `status` says; for a moment also right after a file was applied.
   */
  sale_file_fault: z.nullable(z.string()),
  pause: z.nullable(z.object({ reason: z.string(), since: Instant })),
  /** The last check of what was changed in the books; null before the first one. */
  check: z.nullable(
    z.object({
      checked_date: Instant,
      duration_ms: z.int(),
      /**
       * The faults found, each with a name that stays the same as long as it does. `is_accepted`:
       * the sale was resumed despite it.
       */
      breaches: z.array(z.object({ ...Fault.shape, is_accepted: z.boolean() })),
      not_run: z.array(Fault),
    }),
  ),
  /**
   * The last complete check of the books, made once a day; its breaches are among those of `check`.
   */
  audit: z.nullable(
    z.object({
      ended_date: Instant,
      duration_ms: z.int(),
      not_run: z.array(z.object({ check: z.string(), fault: z.string() })),
    }),
  ),
  /** `uncovered`: paid back for money that a reorganisation has removed since. */
  refunds: z.object({
    open: z.int(),
    /** Approved claims that are not paid yet. */
    promised: z.int(),
    paid: z.int(),
    uncovered: z.int(),
  }),
  /** Transfers that belong to nobody known; the inbox lists them. */
  unmatched: z.int(),
  /** Payments requested from gateways that may or may not exist, because the reply was lost. */
  lost_payments: z.int(),
  /** What was credited and can still be withdrawn from. */
  withdrawable: z.array(
    z.object({
      payment_token: z.nullable(AssetToken),
      amount: DecimalString,
      /** In dollars, at the locked prices. */
      amount_fiat: DecimalString,
      purchases: z.int(),
    }),
  ),
  /** Null if the sale has no soft cap and was not closed. */
  soft_cap: z.nullable(
    z.object({
      /** Null if the sale file no longer has one. */
      amount_fiat: z.nullable(DecimalString),
      raised_fiat: DecimalString,
      /** When the sale was closed below it, so that everything is owed back. */
      closed_date: z.nullable(Instant),
    }),
  ),
  /** The last snapshot of who owns what, after which the sale cannot resume; null if none. */
  snapshot: z.nullable(z.int()),
  /** Every chain and gateway that is watched, as seen by the instance that replies. */
  chains: z.array(
    z.object({
      name: z.string(),
      /** Why its last reading failed; null if it succeeded. */
      fault: z.nullable(z.string()),
      /** The last block that was read; null if none was. */
      height: z.nullable(z.int()),
      /** Up to when everything on it is known. */
      read_through_date: z.nullable(Instant),
      /** Seconds since the last successful reading; null if none since the instance started. */
      read_seconds_ago: z.nullable(z.int()),
      /** The payment tokens of the chain, with the reason if one is unavailable. */
      payment_tokens: z.array(z.object({ id: z.string(), fault: z.nullable(z.string()) })),
    }),
  ),
})
export type SaleState = z.output<typeof SaleState>

const ActionId = NumberId('Must be the id of an action')

const MarkBody = (fault: string) =>
  z.strictObject({
    reason: Reason(fault),
    /** The status that was seen: refused if it has changed. If left out, it is not compared. */
    status: z.optional(TransactionStatus),
    /** When the last mark that was seen was made, or null if there was none: likewise. */
    marked_date: z.optional(z.nullable(InstantInput)),
  })

const HASH_FAULT = 'Give the hash of the transaction that paid it back'

/**
 * What an operator does while the sale runs. `npm run operator` makes its commands from these: the
 * path below `/operator` is the command, the path's parameters follow it in order, and each field
 * of the body or query is an option of the same name.
 */
export const operatorContract = {
  getSaleState: operatorRead({
    path: '/operator/status',
    permission: 'sale.read',
    summary:
      'Returns the state of the sale, why it is paused, and what the last check of the books ' +
      'found.',
    result: SaleState,
  }),
  pauseSale: operatorEndpoint({
    method: 'POST',
    path: '/operator/pause',
    permission: 'sale.pause',
    summary:
      'Pauses the sale: nothing new is sold, but what was bought is still settled. If it is paused ' +
      'already, another reason pauses it anew, beside the first.',
    body: z.strictObject({
      /** For operators; buyers do not see it. */
      reason: Reason('Say in a few words why the sale is paused'),
    }),
    result: SaleState,
  }),
  resumeSale: operatorEndpoint({
    method: 'POST',
    path: '/operator/resume',
    permission: 'sale.resume',
    summary:
      'Checks the books and resumes a paused sale if they agree, or by force. Once the books are ' +
      'closed, force accepts their breaches, and the sale stays paused.',
    body: z.strictObject({
      /** Resumes despite current breaches; the same ones do not pause the sale again. */
      force: z._default(z.boolean({ error: 'Must be true or false' }), false),
      /** The names of the faults that were seen: refused if there are others. Left out, all are. */
      faults: z.optional(z.array(z.string().check(z.maxLength(400))).check(z.maxLength(10_000))),
      /**
       * Since when the sale was paused as it was seen, or null if it was not: refused if it was
       * paused or resumed since. If left out, it is not compared.
       */
      paused_date: z.optional(z.nullable(InstantInput)),
    }),
    result: SaleState,
    mayWait: true,
    errors: ['BooksDisagree', 'ApprovalChanged', 'SaleClosed', 'SaleFrozen'],
  }),
  closeSale: operatorAct({
    path: '/operator/sale/close',
    permission: 'sale.close',
    summary:
      'Closes a sale that has ended below its soft cap, for good: everything that was paid is owed ' +
      'back.',
    body: z.strictObject({ reason: Reason('Say in a few words why the sale is closed') }),
    result: SaleState,
    mayWait: true,
    errors: ['SaleNotClosable'],
  }),
  listRefunds: operatorRead({
    path: '/operator/refunds',
    permission: 'refunds.read',
    summary:
      'Lists amounts that are owed back, longest owed first, or those in another state, or all.',
    query: z.strictObject({
      state: z._default(
        z.enum([...refundStates, 'all'], {
          error: 'Must be open, promised, paid, uncovered or all',
        }),
        'open',
      ),
      ...pageFrom(z.string()),
    }),
    result: z.object({
      data: z.array(OperatorRefund),
      /** Where the next page begins. */
      after: z.nullable(z.string()),
      owed: z.array(OwedTotal),
      counts: z.object({
        open: z.int(),
        promised: z.int(),
        paid: z.int(),
        uncovered: z.int(),
      }),
      /** Transfers that belong to no purchase; the inbox lists them as unmatched money. */
      unmatched: z.int(),
    }),
  }),
  payRefund: operatorAct({
    path: '/operator/refunds/{id}/pay',
    permission: 'refunds.pay',
    summary:
      'Marks what is owed for a receipt as paid back by a transaction, for good, and notifies ' +
      'the buyer. The transaction is not looked up.',
    params: ItemParams,
    body: z.strictObject({
      /** The hash of the transaction that paid it back. */
      hash: textUpTo(200, HASH_FAULT, HASH_FAULT),
      /** The amount that was sent, as listed: refused if a different amount is owed now. */
      amount: z.optional(DecimalString.check(z.maxLength(100))),
      /** True if the same transaction also paid another refund. */
      shared: z._default(z.boolean({ error: 'Must be true or false' }), false),
    }),
    result: OperatorRefund,
    mayWait: true,
    errors: ['RefundNotOwed', 'RefundClaimed', 'RefundChanged', 'HashUsed'],
  }),
  searchPurchases: operatorRead({
    path: '/operator/purchases',
    permission: 'purchases.read',
    summary:
      'Lists all purchases, newest first, or those of an email address, id, address or hash.',
    query: z.strictObject({
      /**
       * An email address; the id of a purchase, whole or as its buyer sees it (`3F9A-12BC`); its
       * payment address; or the hash of a transaction that paid it or paid it back. The text itself
       * shows which of them it is. An email address requires `people.read`.
       */
      q: z.optional(z.string().check(z.maxLength(254))),
      user_id: z.optional(Id),
      status: z.optional(TransactionStatus),
      payment_token_id: z.optional(z.string().check(z.maxLength(100))),
      stage_id: z.optional(z.string().check(z.maxLength(100))),
      /** Made at this instant or after it. */
      from: z.optional(Moment),
      /** Made before this instant, or on this day or before it. */
      to: z.optional(EndMoment),
      /** Only where money is owed back, promised or not, or has come in and is not credited. */
      at_stake: Flag,
      sort: z._default(
        z.enum(purchaseSortings, { error: 'Must be newest, oldest or largest' }),
        'newest',
      ),
      ...pageFrom(Id),
    }),
    result: z.object({ data: z.array(OperatorPurchase), after: z.nullable(Id) }),
  }),
  getPurchaseRecord: operatorRead({
    path: '/operator/purchases/{id}',
    permission: 'purchases.read',
    summary: 'Returns a purchase in full: receipts, refunds, history, ledger, and who acted on it.',
    params: ItemParams,
    result: PurchaseRecord,
  }),
  holdPurchase: operatorAct({
    path: '/operator/purchases/{id}/hold',
    permission: 'purchases.hold',
    summary:
      'Holds a purchase: nothing is credited until it is released, and what it has is taken back. If ' +
      'it is held already, another reason holds it anew.',
    params: ItemParams,
    body: MarkBody('Say in a few words why the purchase is held'),
    result: PurchaseRecord,
    errors: ['PurchaseChanged'],
  }),
  releasePurchase: operatorAct({
    path: '/operator/purchases/{id}/release',
    permission: 'purchases.release',
    summary: 'Releases a purchase that an operator held or failed, so that it continues.',
    params: ItemParams,
    body: MarkBody('Say in a few words why the purchase goes on'),
    result: PurchaseRecord,
    mayWait: true,
    errors: ['NotMarked', 'PurchaseChanged'],
  }),
  failPurchase: operatorAct({
    path: '/operator/purchases/{id}/fail',
    permission: 'purchases.fail',
    summary:
      'Fails a purchase: its tokens are free again, and everything that was paid is owed back.',
    params: ItemParams,
    body: MarkBody('Say in a few words why the purchase fails'),
    result: PurchaseRecord,
    errors: ['PurchaseChanged'],
  }),
  listAllocations: operatorRead({
    path: '/operator/allocations',
    permission: 'allocations.export',
    summary:
      'Exports who is owed how many tokens, as CSV: one snapshot, whose total is the ledger’s.',
    headers: OperatorHeaders,
    query: z.strictObject({ form: RowsForm }),
    status: 200,
    rows: Allocation,
    errors: ['Busy'],
  }),
  listActions: operatorRead({
    path: '/operator/actions',
    permission: 'audit.read',
    summary: 'Lists what operators did, newest first: who, when, from where and what.',
    query: z.strictObject({
      /** The id or name of whoever acted. */
      who: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
      act: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
      purchase: z.optional(Id),
      /** From this instant on, inclusive. */
      from: z.optional(InstantInput),
      /** Up to this instant, exclusive. */
      to: z.optional(InstantInput),
      ...pageFrom(ActionId),
    }),
    result: z.object({ data: z.array(OperatorAction), after: z.nullable(z.string()) }),
  }),
}
