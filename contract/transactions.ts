import { boundReasons } from '#domain/refusal.ts'
import * as z from 'zod/mini'
import { UsdInput } from './amounts.ts'
import { endpoint } from './endpoint.ts'
import { PaymentTokenId, Prices, Stage, Transaction } from './shapes.ts'

/** What happens while a page is open: the event's name is its `type`. */
const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('transaction'), transaction: Transaction }),
  /** Null where no stage is on sale any more: ask for the active stage to learn why. */
  z.object({ type: z.literal('stage'), stage: z.nullable(Stage) }),
  z.object({ type: z.literal('prices'), prices: Prices }),
])
export type LiveEvent = z.output<typeof LiveEvent>

export const transactionsContract = {
  createTransaction: endpoint({
    method: 'POST',
    path: '/transactions',
    access: 'user',
    summary: 'Makes a purchase: locks price and bonuses, reserves the tokens, gives an address.',
    headers: z.object({
      'idempotency-key': z.optional(
        z.string().check(
          z.regex(/^[\x21-\x7e]{1,200}$/, {
            error: 'Must be 1 to 200 printable ASCII characters, without spaces',
          }),
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
    summary: 'One of the caller’s own transactions.',
    params: z.strictObject({ id: z.string() }),
    result: Transaction,
    errors: [],
  }),
  streamEvents: endpoint({
    method: 'GET',
    path: '/events',
    access: 'user',
    summary:
      'Server-sent events: the user’s transactions, the stage and the prices as they change.',
    events: LiveEvent,
    errors: [],
  }),
}
