import * as z from 'zod/mini'

import { closedByHand, inboxKindNames, inboxOrders } from '#domain/operators/inbox.ts'
import { permissions, roleNames } from '#domain/operators/permissions.ts'
import { purchaseStatuses } from '#domain/settlement/outcome.ts'
import { stageStatusNames } from '#domain/sale/sale.ts'
import { DecimalString, Instant } from '#contract/values.ts'
import { operatorEndpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/shapes.ts'
import { SaleState } from './operations.ts'
import { OwedTotal, Reason, operatorRead } from './shapes.ts'

/** A day in UTC: `2026-11-22`. */
const Day = z.iso.date()

/** The state of the sale, for operators. Amounts are exact: each total is the sum of its lines. */
export const Overview = z.object({
  /** When it was read. */
  date: Instant,
  token_symbol: z.string(),
  state: SaleState,
  /** What was credited, in dollars at the prices locked for each payment. */
  raised_fiat: DecimalString,
  purchases: z.record(z.enum(purchaseStatuses), z.int()),
  /** Pages sent to anyone, accounts, users who have bought, and users who have paid. */
  funnel: z.object({ visited: z.int(), registered: z.int(), bought: z.int(), paid: z.int() }),
  stages: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.enum(stageStatusNames),
      supply: DecimalString,
      sold: DecimalString,
      reserved: DecimalString,
      left: DecimalString,
    }),
  ),
  /** The last 30 days in UTC, oldest first, with the purchases that were credited on each. */
  by_day: z.array(z.object({ day: Day, raised_fiat: DecimalString, purchases: z.int() })),
  /** The payment tokens used, the one that raised most first. */
  by_token: z.array(
    z.object({
      payment_token_id: z.string(),
      short_name: z.string(),
      chain: z.string(),
      raised_fiat: DecimalString,
      purchases: z.int(),
    }),
  ),
  /** What is owed back, and its value now; null if an asset or its price is unknown. */
  owed: z.array(z.object({ ...OwedTotal.shape, amount_fiat: z.nullable(DecimalString) })),
  /** The total of everything in `owed` whose value is known. */
  owed_fiat: DecimalString,
  feeds: z.array(
    z.object({
      symbol: z.string(),
      /** Dollars; null before the first price from where the sale file takes it. */
      price: z.nullable(DecimalString),
      fetched_date: z.nullable(Instant),
      /** False if it is too old to sell at. */
      is_fresh: z.boolean(),
    }),
  ),
  /** How many mails wait, and how many were given up; 1000 means 1000 or more. */
  mails: z.object({
    unsent: z.int(),
    oldest_unsent_date: z.nullable(Instant),
    given_up: z.int(),
  }),
})
export type Overview = z.output<typeof Overview>

/** One thing that waits for a person. */
export const InboxItem = z.object({
  kind: z.enum(inboxKindNames),
  /** Its id among those of its kind. */
  id: z.string(),
  title: z.string(),
  /** More about it, in a sentence. */
  detail: z.nullable(z.string()),
  /** Since when it has been waiting; null if unknown. */
  since_date: z.nullable(Instant),
  /** What is at stake, in dollars; null if it is not money, or its value is unknown. */
  amount_fiat: z.nullable(DecimalString),
  purchase_id: z.nullable(Id),
  /** Whose mail was lost; null if it was an operator's, and for every other kind. */
  user_id: z.nullable(Id),
  permission: z.enum(permissions),
  /** Whose it is until somebody takes it: the role that may do the next step. */
  role: z.enum(roleNames),
  /** Who has taken it, and when. */
  owner: z.nullable(z.object({ id: Id, name: z.string(), since_date: Instant })),
})
export type InboxItem = z.output<typeof InboxItem>

/** An item, as in the list. */
const ItemBody = z.strictObject({
  kind: z.enum(inboxKindNames, { error: 'Must be a kind of the inbox' }),
  id: z
    .string({ error: 'Must be the id of an item' })
    .check(z.minLength(1, { error: 'Must be the id of an item' }), z.maxLength(400)),
  /** Whose it was when the caller looked, null for nobody's. Left out, it is not compared. */
  owner_id: z.optional(z.nullable(Id)),
})

/** What the console shows about the whole sale, and what waits for a person. */
export const consoleContract = {
  getOverview: operatorRead({
    path: '/operator/overview',
    permission: 'sale.read',
    summary:
      'Returns what was raised and sold, by stage, day and coin, and the state of everything.',
    result: Overview,
  }),
  listInbox: operatorRead({
    path: '/operator/inbox',
    permission: 'sale.read',
    summary: 'Lists what waits for a person, as far as the operator may see it: at most 100 items.',
    query: z.strictObject({
      order: z._default(z.enum(inboxOrders, { error: 'Must be oldest or money' }), 'oldest'),
      kind: z.optional(z.enum(inboxKindNames, { error: 'Must be a kind of the inbox' })),
      /** Only items that the caller has taken, or that nobody has. */
      owner: z.optional(z.enum(['mine', 'nobody'], { error: 'Must be mine or nobody' })),
    }),
    result: z.object({
      data: z.array(InboxItem),
      /** How many there are of each kind, whatever the filter; 1000 means 1000 or more. */
      counts: z.array(z.object({ kind: z.enum(inboxKindNames), count: z.int() })),
      /** The item that has waited longest, whatever the filter. */
      oldest: z.nullable(InboxItem),
    }),
  }),
  takeInboxItem: operatorEndpoint({
    method: 'POST',
    path: '/operator/inbox/take',
    permission: 'sale.read',
    summary:
      'Makes the calling person, who may do its next step, the owner of an item, whoever had ' +
      'taken it before.',
    body: ItemBody,
    result: InboxItem,
    errors: ['InboxItemGone', 'InboxItemTaken', 'PersonNeeded'],
  }),
  leaveInboxItem: operatorEndpoint({
    method: 'POST',
    path: '/operator/inbox/leave',
    permission: 'sale.read',
    summary:
      'Gives an item back to the role that it belongs to, by whoever has taken it or may take it.',
    body: ItemBody,
    result: InboxItem,
    errors: ['InboxItemGone', 'InboxItemTaken', 'PersonNeeded'],
  }),
  closeInboxItem: operatorEndpoint({
    method: 'POST',
    path: '/operator/inbox/close',
    permission: 'sale.read',
    summary:
      'Closes for good what nothing else ends: a lost mail, unmatched money, late tokens, a payment ' +
      'of no purchase that its gateway does not show.',
    body: z.strictObject({
      kind: z.enum(closedByHand, {
        error:
          'Must be mail, lost_payment, unmatched, uncovered, sent_not_owed, paid_twice, ' +
          'payout_gone, sweep or late_delivery',
      }),
      id: ItemBody.shape.id,
      reason: Reason('Say in a few words what became of it'),
    }),
    errors: ['InboxItemGone'],
  }),
}
