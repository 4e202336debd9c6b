import * as z from 'zod/mini'
import { foreignTransferStates } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant, textUpTo } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import { ItemParams, operatorAct, operatorRead, pageFrom, Person, Reason } from './shapes.ts'

/** A transfer, to a purchase, of a token that the sale does not take. */
export const ForeignTransfer = z.object({
  /** Also the id of the receipt, once it is owed back. */
  id: Id,
  purchase_id: Id,
  user: Person,
  chain: z.string(),
  address: z.string(),
  /** The token's contract. */
  asset: z.string(),
  /** What the token calls itself, which proves nothing; null if it does not say. */
  symbol: z.nullable(z.string()),
  /** In base units: the decimals that such a token claims prove nothing either. */
  amount: DecimalString,
  /** Whether the address held it afterwards; null if that could not be checked. */
  is_held: z.nullable(z.boolean()),
  hash: z.string(),
  explorer_url: z.nullable(z.string()),
  seen_date: Instant,
  state: z.enum(foreignTransferStates),
  /** Why a person decided this, and when; null while it is open. */
  reason: z.nullable(z.string()),
  decided_date: z.nullable(Instant),
})
export type ForeignTransfer = z.output<typeof ForeignTransfer>

/**
 * Tokens that somebody sent but the sale does not take. Nothing is owed for them until an operator
 * says so: anyone can make a token and send it.
 */
export const foreignTransfersContract = {
  listForeignTransfers: operatorRead({
    path: '/operator/foreign-transfers',
    permission: 'refunds.read',
    summary:
      'Lists transfers of tokens that the sale does not take, oldest first: the open ones, or ' +
      'those in another state, or all.',
    query: z.strictObject({
      state: z._default(
        z.enum([...foreignTransferStates, 'all'], {
          error: 'Must be open, dismissed, owed or all',
        }),
        'open',
      ),
      purchase_id: z.optional(Id),
      ...pageFrom(z.string()),
    }),
    result: z.object({
      data: z.array(ForeignTransfer),
      /** Where the next page begins. */
      after: z.nullable(z.string()),
      /** What is open, by token: the hundred tokens that came most often. */
      sums: z.array(
        z.object({
          chain: z.string(),
          asset: z.string(),
          symbol: z.nullable(z.string()),
          amount: DecimalString,
          count: z.int(),
        }),
      ),
    }),
  }),
  dismissForeignTransfer: operatorAct({
    path: '/operator/foreign-transfers/{id}/dismiss',
    permission: 'refunds.pay',
    summary: 'Dismisses a transfer that is worth nothing.',
    params: ItemParams,
    body: z.strictObject({ reason: Reason('Say in a few words why nothing is owed for it') }),
    result: ForeignTransfer,
    errors: ['TransferDecided'],
  }),
  dismissForeignToken: operatorAct({
    path: '/operator/foreign-transfers/dismiss',
    permission: 'refunds.pay',
    summary: 'Dismisses all open transfers of one token, as listed; those that come later stay.',
    body: z.strictObject({
      chain: textUpTo(200, 'Give the chain as listed'),
      asset: textUpTo(200, 'Give the token’s contract as listed'),
      reason: Reason('Say in a few words why nothing is owed for it'),
    }),
    result: z.object({ dismissed: z.int() }),
  }),
  oweForeignTransfer: operatorAct({
    path: '/operator/foreign-transfers/{id}/owe',
    permission: 'refunds.pay',
    summary: 'Accepts a transfer as a debt, for good: from then on it is a refund.',
    params: ItemParams,
    body: z.strictObject({ reason: Reason('Say in a few words why it should go back') }),
    result: ForeignTransfer,
    errors: ['TransferDecided', 'TransferNotHeld'],
  }),
}
