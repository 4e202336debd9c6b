import { type Permission, type Role, roleNames, roles } from './permissions.ts'

/**
 * What waits for a person, by kind: what it takes to see it, and to do what is next. Nothing is
 * without an owner: what nobody has taken belongs to the role that may do that.
 */
export const inboxKinds = {
  /** Money that is owed back. */
  refund: { read: 'refunds.read', next: 'refunds.pay' },
  /** Paid back for money that a reorganisation has taken away since. */
  uncovered: { read: 'refunds.read', next: 'refunds.pay' },
  /** A claim to what is owed back, which its buyer cannot cancel any more. */
  claim: { read: 'refunds.read', next: 'refunds.approve' },
  /** A claim that is approved and in no batch. */
  claim_to_send: { read: 'refunds.read', next: 'refunds.pay' },
  /** A claim that was approved, and whose money a reorganisation has taken away since. */
  claim_uncovered: { read: 'refunds.read', next: 'refunds.approve' },
  /** A batch of claims that was not seen on its chain for a day. */
  batch: { read: 'refunds.read', next: 'refunds.pay' },
  /** A transfer by a batch that had been cancelled, to somebody who was paid otherwise. */
  paid_twice: { read: 'refunds.read', next: 'refunds.pay' },
  /** A token that the sale does not take came, and nobody has decided about it. */
  foreign: { read: 'refunds.read', next: 'refunds.pay' },
  /** Transactions of a sweep that have failed. */
  sweep: { read: 'sweeps.manage', next: 'sweeps.manage' },
  /** A payment at a gateway of which nobody knows whether it was made. */
  lost_payment: { read: 'purchases.read', next: 'refunds.pay' },
  /** A purchase that an operator has held. */
  held: { read: 'purchases.read', next: 'purchases.release' },
  /** Money at an address of ours that no purchase has. */
  unmatched: { read: 'purchases.read', next: 'refunds.pay' },
  /** An act that a second person has to approve; each says what that takes. */
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
  /** Tokens were moved since the last snapshot, so that it may have to be corrected. */
  snapshot: { read: 'delivery.read', next: 'allocations.freeze' },
  /** Tokens that were to be sent to wallets, and have not arrived a day later. */
  delivery: { read: 'delivery.read', next: 'delivery.manage' },
  /** Tokens that arrived by a distribution after it had ended: another one may have them too. */
  late_delivery: { read: 'delivery.read', next: 'delivery.manage' },
  /** The sale is paused. */
  pause: { read: 'sale.read', next: 'sale.resume' },
} as const satisfies Record<string, { read: Permission; next: Permission }>

export type InboxKind = keyof typeof inboxKinds

export const inboxKindNames = Object.keys(inboxKinds) as readonly InboxKind[]

/** What nothing ends by itself, so that a person puts it away with a reason. */
export const closedByHand = [
  'mail',
  'unmatched',
  'uncovered',
  'paid_twice',
  'sweep',
  'late_delivery',
] as const
export type ClosedByHand = (typeof closedByHand)[number]

export const inboxOrders = ['oldest', 'money'] as const
export type InboxOrder = (typeof inboxOrders)[number]

/** Who may do something, and as little else as possible. */
export function leastRole(permission: Permission): Role {
  const can = (role: Role) => roles[role].includes(permission)
  return roleNames.find(can) ?? 'owner'
}
