import { boundReasons } from '#domain/refusal.ts'
import * as z from 'zod/mini'
import { textLike, UsdInput } from './values.ts'
import { endpoint } from './endpoint.ts'
import { GivenPassword, OneTimeCode, PaymentTokenId, Prices, Stage, Transaction } from './shapes.ts'

/** What happens while a page is open: the event's name is its `type`. */
const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('transaction'), transaction: Transaction }),
  /** Null if no stage is on sale any longer: get the active stage to learn why. */
  z.object({ type: z.literal('stage'), stage: z.nullable(Stage) }),
  z.object({ type: z.literal('prices'), prices: Prices }),
  /** Another sale file was applied: get the project, its stages, prices and notices again. */
  z.object({ type: z.literal('sale') }),
  /** The user's deliveries or their receiving wallet have changed: get them again. */
  z.object({ type: z.literal('delivery') }),
])
export type LiveEvent = z.output<typeof LiveEvent>

export const transactionsContract = {
  createTransaction: endpoint({
    method: 'POST',
    path: '/transactions',
    access: 'user',
    summary:
      'Makes a purchase: locks its price and bonuses, reserves the tokens and returns an address.',
    headers: z.object({
      'idempotency-key': z.optional(
        textLike(
          /^[\x21-\x7e]{1,200}$/,
          'Must be 1 to 200 printable ASCII characters, without spaces',
        ),
      ),
    }),
    body: z.strictObject({ purchase_amount: UsdInput, purchase_token_id: PaymentTokenId }),
    status: 201,
    result: z.object({ data: Transaction }),
    errors: [
      'SaleNotStarted',
      'SalePaused',
      'SaleEnded',
      'NoTokensLeft',
      'BelowMinimum',
      'AboveMaximum',
      'UnknownPaymentToken',
      ...boundReasons,
      'IdempotencyKeyReused',
      'PriceStale',
      'RailUnavailable',
      'EmailNotVerified',
      'Busy',
    ],
  }),
  getTransaction: endpoint({
    method: 'GET',
    path: '/transactions/{id}',
    access: 'user',
    summary: 'Returns one of the caller’s own transactions.',
    params: z.strictObject({ id: z.string() }),
    result: Transaction,
  }),
  withdrawTransaction: endpoint({
    method: 'POST',
    path: '/transactions/{id}/withdraw',
    access: 'user',
    summary:
      'Withdraws from a purchase for good: its tokens go back, and what was paid is owed back in ' +
      'the same coin. A mail confirms it.',
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({
      password: GivenPassword,
      /** If two-factor login is on. */
      code: z.optional(OneTimeCode),
    }),
    result: Transaction,
    errors: ['NotWithdrawable', 'WrongPassword', 'WrongCode', 'Busy'],
  }),
  streamEvents: endpoint({
    method: 'GET',
    path: '/events',
    access: 'user',
    summary:
      'Streams server-sent events: the user’s transactions and deliveries, the stage, the prices ' +
      'and the sale as they change.',
    events: LiveEvent,
  }),
}
