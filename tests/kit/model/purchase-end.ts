import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'

/** What a buyer sees and is owed; not which stage the tokens come from. */
export function endOf(outcome: PurchaseOutcome) {
  const { status, reason, credited, due, confirmations, refunds, booked, allocations } = outcome
  const tokens = allocations.reduce((sum, allocation) => sum + allocation.tokens, 0n)
  return { status, reason, credited, due, confirmations, refunds, booked, tokens }
}
