import { createHash } from 'node:crypto'
import { NotYet } from '#domain/unavailable.ts'
import type { Payout, PayoutSearch } from '#server/ports/payouts.ts'

/**
 * Limits how often the same payouts are looked for. Throws `NotYet` if that was a moment ago,
 * unless it has to be now: workers ask more often than chains change.
 */
export function createQuestionPace(everyMs: number) {
  const askedAt = new Map<string, number>()
  return function requireDue(
    chain: string,
    payouts: readonly Payout[],
    search: Pick<PayoutSearch, 'sinceHeight' | 'hashes' | 'isAnyTime'>,
  ): void {
    const now = performance.now()
    const question = questionOf(chain, payouts, search)
    for (const [each, at] of askedAt) if (now - at >= everyMs) askedAt.delete(each)
    if (askedAt.has(question) && search.isAnyTime !== true) {
      throw new NotYet('The server looks for payouts again in a moment')
    }
    askedAt.set(question, now)
  }
}

/** A short name for what is looked for. */
function questionOf(
  chain: string,
  payouts: readonly Payout[],
  { sinceHeight, hashes }: Pick<PayoutSearch, 'sinceHeight' | 'hashes'>,
): string {
  const parts = [chain, String(sinceHeight), hashes.join(' '), ...payouts.map(({ id }) => id)]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
