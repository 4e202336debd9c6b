/**
 * What can still change who owns how many tokens, so that the books cannot be closed: the sale goes
 * on, or its soft cap is undecided; it is paused, its books disagree, or a chain is silent;
 * purchases have new facts, wait for payment or confirmations, are held, can still be withdrawn
 * from, or were withdrawn from and are not paid back; or money that is being paid back would buy
 * tokens if it were not, and a claim to it or a mark that it was sent is not decided.
 */
export const undecidedKinds = [
  'sale',
  'soft_cap',
  'pause',
  'books',
  'chain',
  'settlement',
  'unpaid',
  'confirming',
  'held',
  'withdrawable',
  'refund_claim',
  'refund_mark',
] as const
export type UndecidedKind = (typeof undecidedKinds)[number]

/** A sentence that says how many there are, and what to do. */
export type Undecided = { kind: UndecidedKind; count: number; sentence: string }
