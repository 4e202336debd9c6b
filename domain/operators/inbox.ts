import { type Permission, type Role, roleNames, roles } from './permissions.ts'

/**
 * The kinds of items that wait for a person, each with the permission to see it and the permission
 * for the next step. Everything has an owner: what nobody has taken belongs to the role that may do
 * the next step.
 */
export const inboxKinds = {
  /** Money that is owed back. */
  refund: { read: 'refunds.read', next: 'refunds.pay' },
  /** A mark as paid that was not done, of what is owed no more: it may have been sent. */
  sent_not_owed: { read: 'refunds.read', next: 'refunds.pay' },
  /** Paid back for money that a reorganisation has removed since. */
  uncovered: { read: 'refunds.read', next: 'refunds.pay' },
  /** A refund claim that its buyer can no longer cancel. */
  claim: { read: 'refunds.read', next: 'refunds.approve' },
  /** A claim that is approved and in no batch. */
  claim_to_send: { read: 'refunds.read', next: 'refunds.pay' },
  /** An approved claim whose money a reorganisation has removed since. */
  claim_uncovered: { read: 'refunds.read', next: 'refunds.approve' },
  /** A batch of claims that is not, or not in whole, in blocks of its chain after a day. */
  batch: { read: 'refunds.read', next: 'refunds.pay' },
  /** A transfer by a cancelled batch, to somebody who was paid in another way. */
  paid_twice: { read: 'refunds.read', next: 'refunds.pay' },
  /** A transfer that had paid a claim, and that a reorganisation has removed since. */
  payout_gone: { read: 'refunds.read', next: 'refunds.pay' },
  /** A token came that the sale does not take, and nobody has decided what to do. */
  foreign: { read: 'refunds.read', next: 'refunds.pay' },
  /** Transactions of a sweep that have failed. */
  sweep: { read: 'sweeps.manage', next: 'sweeps.manage' },
  /** A payment at a gateway that may not have been made, or that the gateway no longer knows. */
  lost_payment: { read: 'purchases.read', next: 'refunds.pay' },
  /** A purchase that an operator has held. */
  held: { read: 'purchases.read', next: 'purchases.release' },
  /** A purchase with a payment that was not confirmed within a day. */
  unconfirmed: { read: 'purchases.read', next: 'purchases.fail' },
  /** Money at one of our addresses that no purchase has. */
  unmatched: { read: 'purchases.read', next: 'refunds.pay' },
  /** An act that a second person has to approve; each states the permission for that. */
  approval: { read: 'approvals.read', next: 'approvals.read' },
  /** A mail that could not be sent for days. */
  mail: { read: 'purchases.read', next: 'people.help' },
  /** A chain or a gateway that cannot be read. */
  chain: { read: 'sale.read', next: 'sale.apply' },
  /** A price that is not known now, so that nothing can be bought in its tokens. */
  feed: { read: 'sale.read', next: 'sale.apply' },
  /** A fault that the check of the books has found. */
  breach: { read: 'sale.read', next: 'sale.resume' },
  /** The books were not checked for a while, or not in whole. */
  guard: { read: 'sale.read', next: 'sale.resume' },
  /** Tokens have moved since the last snapshot, which may need a correction. */
  snapshot: { read: 'delivery.read', next: 'allocations.freeze' },
  /** Tokens that should have been sent to wallets, and have not arrived a day later. */
  delivery: { read: 'delivery.read', next: 'delivery.manage' },
  /**
   * Tokens that arrived by a distribution after it had ended: another one may have them too. Or
   * those that its wallet has sent once more.
   */
  late_delivery: { read: 'delivery.read', next: 'delivery.manage' },
  pause: { read: 'sale.read', next: 'sale.resume' },
} as const satisfies Record<string, { read: Permission; next: Permission }>

export type InboxKind = keyof typeof inboxKinds

export const inboxKindNames = Object.keys(inboxKinds) as readonly InboxKind[]

/**
 * Items that nothing ends by itself, so a person puts them away with a reason: lost payments only
 * if no purchase has them.
 */
export const closedByHand = [
  'mail',
  'lost_payment',
  'unmatched',
  'uncovered',
  'sent_not_owed',
  'paid_twice',
  'payout_gone',
  'sweep',
  'late_delivery',
] as const
export type ClosedByHand = (typeof closedByHand)[number]

export const inboxOrders = ['oldest', 'money'] as const
export type InboxOrder = (typeof inboxOrders)[number]

/** The role with the fewest permissions that has this one. */
export function leastRole(permission: Permission): Role {
  const can = (role: Role) => roles[role].includes(permission)
  return roleNames.find(can) ?? 'owner'
}
