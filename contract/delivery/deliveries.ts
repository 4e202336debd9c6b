import { deliveryStates, distributionTools } from '#domain/delivery/distribution.ts'
import { DecimalString, Instant } from '#contract/values.ts'
import { endpoint } from '#contract/endpoint.ts'
import * as z from 'zod/mini'

/** A transaction that has delivered tokens, or will once it is deep enough. */
const DeliveryTransfer = z.object({
  transaction_hash: z.string(),
  explorer_url: z.nullable(z.string()),
  /** Where the tokens went: the claimer may have named another address. */
  receiver: z.string(),
  date: Instant,
  confirmations: z.int(),
  required_confirmations: z.int(),
})

/** How to claim with your own wallet; amounts in base units of the token. */
const DeliveryClaim = z.object({
  chain_id: z.int(),
  contract: z.string(),
  index: z.int(),
  account: z.string(),
  amount: z.string().check(z.regex(/^\d+$/)),
  proof: z.array(z.string().check(z.regex(/^0x[0-9a-f]{64}$/))),
})

/** The caller's part of one distribution. */
export const Delivery = z.object({
  distribution_id: z.string(),
  tool: z.enum(distributionTools),
  state: z.enum(deliveryStates),
  tokens: DecimalString,
  wallet: z.string(),
  token: z.string(),
  /**
   * What was handed out to the wallet, possibly for several accounts of its owner. If a list ended
   * before all of it was sent, only what has arrived.
   */
  wallet_amount: DecimalString,
  /** How much of it has arrived: less if the token itself keeps a part, or if less was sent. */
  wallet_arrived: DecimalString,
  is_to_claim: z.boolean(),
  /** Where to claim it; null if there is no such page. */
  claim_url: z.nullable(z.string()),
  /** Null if a wallet cannot claim it in this way, or if it was claimed. */
  claim: z.nullable(DeliveryClaim),
  /** Whether `claim` is shown only once the wallet has signed that it is the caller’s. */
  is_withheld: z.boolean(),
  /** After this date, tokens that were not claimed may be taken back. */
  expires_date: z.nullable(Instant),
  transfers: z.array(DeliveryTransfer),
})
export type Delivery = z.output<typeof Delivery>

const Deliveries = z.object({
  /** Null if the sale delivers no tokens yet. */
  delivery: z.nullable(z.object({ chain: z.string(), chain_id: z.int() })),
  /** What no distribution has handed out yet; null if there is nothing. */
  waiting: z.nullable(
    z.object({
      state: z.enum(['unassigned', 'assigned']),
      tokens: DecimalString,
      wallet: z.nullable(z.string()),
      /** Whether the books are closed, so that the amount is final. */
      is_frozen: z.boolean(),
      /** Whether the newest snapshot has this wallet; one that was set later is in the next. */
      is_listed: z.boolean(),
    }),
  ),
  /** The newest first. */
  deliveries: z.array(Delivery),
})
export type Deliveries = z.output<typeof Deliveries>

/** How bought tokens get to their owners' wallets. */
export const deliveriesContract = {
  listOwnDeliveries: endpoint({
    method: 'GET',
    path: '/deliveries',
    access: 'user',
    summary:
      'Returns which of the caller’s tokens were handed out, to which wallet, and whether they ' +
      'arrived.',
    result: Deliveries,
  }),
}
