/** How far a receipt is confirmed. */
type Confirmed = { confirmations: number; requiredConfirmations: number }

/**
 * Of several receipts, the one that its chain has to confirm most often yet: the purchase waits for
 * it. Undefined without receipts.
 */
export function lastToConfirm<R extends Confirmed>(receipts: readonly R[]): R | undefined {
  let last: R | undefined
  for (const receipt of receipts) {
    const lacksMore = last === undefined ? 1 : missing(receipt) - missing(last)
    const isFewer = last !== undefined && receipt.confirmations < last.confirmations
    if (lacksMore > 0 || (lacksMore === 0 && isFewer)) last = receipt
  }
  return last
}

function missing({ confirmations, requiredConfirmations }: Confirmed): number {
  return Math.max(requiredConfirmations - confirmations, 0)
}
