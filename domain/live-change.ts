/** What changed, for whoever is listening; it carries ids, and readers look the rest up. */
export type LiveChange =
  | { kind: 'purchase'; userId: string; transactionId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }
