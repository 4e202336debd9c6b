import { createHash } from 'node:crypto'
import { NotYet } from '#domain/unavailable.ts'
import type { Payout, PayoutSearch } from '#server/ports/payouts.ts'

/**
 * Limits how often a question is asked. Throws `NotYet` if it was asked a moment ago: workers ask
 * more often than chains change.
 */
export function createQuestionPace(everyMs: number) {
  const askedAt = new Map<string, number>()
  return function requireDue(question: string): void {
    const now = performance.now()
    for (const [each, at] of askedAt) if (now - at >= everyMs) askedAt.delete(each)
    if (askedAt.has(question)) throw new NotYet('The server looks for payouts again in a moment')
    askedAt.set(question, now)
  }
}

/** A short name for what is looked for. */
export function questionOf(
  chain: string,
  payouts: readonly Payout[],
  { sinceHeight, hashes }: PayoutSearch,
): string {
  const parts = [chain, String(sinceHeight), hashes.join(' '), ...payouts.map(({ id }) => id)]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
