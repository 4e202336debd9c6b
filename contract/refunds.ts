import * as z from 'zod/mini'

import { refundClaimStates, whyNotClaimable } from '#domain/refunds/claim-states.ts'
import { refundReasons } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant, trimmedUpTo } from './values.ts'
import { endpoint } from './endpoint.ts'
import { GivenPassword, Id, OneTimeCode, PaymentToken, PaymentTokenId } from './shapes.ts'

/** What is owed back to the caller in one asset, and whether it can be claimed now. */
export const OwedRefund = z.object({
  /** Null for an asset that the sale does not take; the refunds of transactions may name it. */
  payment_token: z.nullable(PaymentToken),
  /** The chain it came on, as the server names it; send it along with a claim. */
  chain: z.string(),
  /**
   * The total of all transactions, in whole units; in base units for an asset that neither the sale
   * takes nor a gateway.
   */
  amount: DecimalString,
  /** The part that pays the network; zero if the sale pays that. */
  fee: DecimalString,
  /** Less than this cannot be claimed yet: it stays owed and accumulates. */
  minimum: DecimalString,
  is_claimable: z.boolean(),
  /** Null if it can be claimed. */
  why_not: z.nullable(z.enum(whyNotClaimable)),
  /** False if only the buyer can tell a right address from a wrong one. */
  is_address_checked: z.boolean(),
  transactions: z.array(
    z.object({ transaction_id: Id, amount: DecimalString, why: z.enum(refundReasons) }),
  ),
})
export type OwedRefund = z.output<typeof OwedRefund>

/** One of the caller's claims; what it asks for never changes. */
export const RefundClaim = z.object({
  id: Id,
  payment_token: PaymentToken,
  chain: z.string(),
  address: z.string(),
  amount: DecimalString,
  fee: DecimalString,
  /** What arrives at the address: the amount minus the fee. */
  pays: DecimalString,
  state: z.enum(refundClaimStates),
  claimed_date: Instant,
  /** It is not approved before this. It can be cancelled as long as it is `claimed`. */
  approvable_date: Instant,
  /** When it was paid, rejected or cancelled. */
  closed_date: z.nullable(Instant),
  reason: z.nullable(z.string()),
  transaction_hash: z.nullable(z.string()),
  explorer_url: z.nullable(z.string()),
  /**
   * The confirmations of its transfer when last seen; null before it is sent, or if a gateway paid
   * it.
   */
  confirmations: z.nullable(z.int()),
  required_confirmations: z.nullable(z.int()),
  transaction_ids: z.array(Id),
})
export type RefundClaim = z.output<typeof RefundClaim>

const Refunds = z.object({
  owed: z.array(OwedRefund),
  /** Newest first: the open ones and the last hundred closed ones. */
  claims: z.array(RefundClaim),
})

const Address = trimmedUpTo(200, 'Give the address that it is to be paid to')

const ChainName = z
  .string({ error: 'Give the chain as the list of refunds names it' })
  .check(z.minLength(1), z.maxLength(100))

const Amount = DecimalString.check(z.maxLength(100))

/** How buyers get back what they overpaid, paid too late or paid in another coin. */
export const refundsContract = {
  listOwnRefunds: endpoint({
    method: 'GET',
    path: '/refunds',
    access: 'user',
    summary:
      'Returns what is owed back to the caller, by asset, and what the caller has claimed of it.',
    result: Refunds,
  }),
  checkRefundAddress: endpoint({
    method: 'POST',
    path: '/refunds/address',
    access: 'user',
    summary:
      'Checks whether an asset can be paid to an address, and returns it as its chain writes it.',
    body: z.strictObject({
      payment_token_id: PaymentTokenId,
      chain: ChainName,
      address: Address,
    }),
    result: z.object({ address: z.string(), is_checked: z.boolean() }),
    errors: ['UnknownPaymentToken'],
  }),
  claimRefund: endpoint({
    method: 'POST',
    path: '/refunds/claims',
    access: 'user',
    summary:
      'Claims what is listed as owed back in an asset, to an address. Mails how to cancel the ' +
      'claim.',
    body: z.strictObject({
      payment_token_id: PaymentTokenId,
      chain: ChainName,
      address: Address,
      /** As they were shown: refused if a different amount is owed now, or the fee has risen. */
      amount: Amount,
      fee: Amount,
      password: GivenPassword,
      /** Along with the password, if two-factor login is on. */
      code: z.optional(OneTimeCode),
    }),
    status: 201,
    result: RefundClaim,
    errors: [
      'UnknownPaymentToken',
      'EmailNotVerified',
      'WrongPassword',
      'WrongCode',
      'Busy',
      'RefundNotOwed',
      'RefundChanged',
      'RefundTooSmall',
      'RefundClaimed',
    ],
  }),
  cancelRefundClaim: endpoint({
    method: 'POST',
    path: '/refunds/claims/{id}/cancel',
    access: 'user',
    summary: 'Cancels a claim that nobody has approved yet; its amount is owed as before.',
    params: z.strictObject({ id: z.string() }),
    result: RefundClaim,
    errors: ['ClaimClosed'],
  }),
}
