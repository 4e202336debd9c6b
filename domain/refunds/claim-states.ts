/**
 * The state of a buyer's refund claim.
 *
 * `claimed`: requested, with an address; it can still be cancelled. `approved`: what is owed is
 * frozen for it, so that no later payment changes it. `batched`: in a file that wallets sign.
 * `sent`: its transfer was found on the chain. `confirmed`: deep enough, and recorded as paid.
 * `rejected` by an operator, with a reason, or `cancelled` by the buyer: the money is owed as
 * before.
 */
export const refundClaimStates = [
  'claimed',
  'approved',
  'batched',
  'sent',
  'confirmed',
  'rejected',
  'cancelled',
] as const
export type RefundClaimState = (typeof refundClaimStates)[number]

/** A receipt has at most one claim in these states. */
export const activeClaimStates = ['claimed', 'approved', 'batched', 'sent'] as const

/** In these states, what is claimed is promised: it buys nothing and is owed to nobody else. */
export const promisedClaimStates = ['approved', 'batched', 'sent'] as const

/**
 * `open`: its files can be downloaded and signed. `sent`: found on the chain, all of it.
 * `confirmed`: every transfer of it is deep enough. `cancelled`: its claims went back to
 * `approved`.
 */
export const refundBatchStates = ['open', 'sent', 'confirmed', 'cancelled'] as const
export type RefundBatchState = (typeof refundBatchStates)[number]

/**
 * Why an owed amount cannot be claimed now. `unknown_asset`: the sale does not know it, so a person
 * has to be asked. `too_small`: sending it would cost too large a part of it; it accumulates.
 * `in_claim`: more is owed of a payment whose claim is not paid yet. `being_sent`: an operator has
 * sent it by hand, which a second person has not confirmed yet.
 */
export const whyNotClaimable = ['unknown_asset', 'too_small', 'in_claim', 'being_sent'] as const
export type WhyNotClaimable = (typeof whyNotClaimable)[number]

/** The reason given when the server rejects a claim that cannot be approved as it was made. */
export const OWED_CHANGED = 'What is owed back has changed since you claimed it.'
