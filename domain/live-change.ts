/** A change that was committed. It carries ids, and listeners read the rest. */
export type LiveChange =
  | { kind: 'purchase'; userId: string; transactionId: string }
  /** What is delivered to a user, or to which wallet. */
  | { kind: 'delivery_changed'; userId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }
  /** Another sale file was applied: for instances, which follow it, and not yet for pages. */
  | { kind: 'sale_applied' }
  /** This instance follows another sale file by now; each one says so to its own listeners. */
  | { kind: 'sale' }
