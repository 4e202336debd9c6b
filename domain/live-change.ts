/** A change that was committed. It carries ids, and listeners read the rest. */
export type LiveChange =
  | { kind: 'purchase'; userId: string; transactionId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }
