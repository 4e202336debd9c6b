import { createHash } from 'node:crypto'

import { rateRules } from '#domain/accounts/rate-rules.ts'
import { Refusal, waitText } from '#domain/refusal.ts'
import { countTries, restoreTries } from '#server/database/accounts/rate-limits.ts'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import type { RateLimits, Try } from '#server/ports/security.ts'

/** Counts in the database, so that all instances share the numbers. */
export function createRateLimits(statements: NamedStatements): RateLimits {
  const keyOf = ({ rule, key }: Try) => `${rule}:${digest(key)}`
  const countedOf = (each: Try) => {
    const { triesMax, perSeconds } = rateRules[each.rule]
    return { key: keyOf(each), triesMax, perMs: perSeconds * 1000 }
  }

  async function takeInOrder(tries: readonly Try[]): Promise<void> {
    const waitMs = await countTries(statements, tries.map(countedOf))
    if (waitMs === null) return
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    const message = `Too many requests. Try again ${waitText(retryAfterSeconds)}`
    throw new Refusal('TooManyRequests', { message, retryAfterSeconds })
  }

  return {
    take: (rule, key) => takeInOrder([{ rule, key }]),
    takeInOrder,
    takeIfLeft: async (each) => (await countTries(statements, [countedOf(each)])) === null,
    restore: ({ cleared = [], refunded = [] }) =>
      restoreTries(statements, cleared.map(keyOf), refunded.map(keyOf)),
  }
}

/** Keys identify people and places, which the table need not contain. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
