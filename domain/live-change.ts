/** A change that was committed. It carries ids, and listeners read the rest. */
export type LiveChange =
  | { kind: 'purchase'; userId: string; transactionId: string }
  /** What is delivered to a user, or to which wallet. */
  | { kind: 'delivery_changed'; userId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }
  /** Another sale file was applied: for instances, which follow it, but not yet for pages. */
  | { kind: 'sale_applied' }
  /** This instance now follows another sale file; each instance notifies its own listeners. */
  | { kind: 'sale' }
