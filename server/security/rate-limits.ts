import { createHash } from 'node:crypto'

import { Refusal } from '#domain/refusal.ts'
import { countTries, restoreTries } from '#server/database/accounts/rate-limits.ts'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import type { RateLimits, RateRule, Try } from '#server/ports/security.ts'

type Rule = { triesMax: number; perSeconds: number }

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How many attempts a key may make: an address, an account, a user. `connectionOf` decides what
 * counts as one address. A household or an office may share it, so its limits are generous. An
 * account's password may be tried 100 times a day from unknown networks, and 100 times from each
 * network that it has logged in from, so that strangers' guesses lock nobody out.
 */
export const rateRules: Record<RateRule, Rule> = {
  register_by_address: { triesMax: 60, perSeconds: HOUR },
  register_taken_by_address: { triesMax: 10, perSeconds: HOUR },
  login_by_address: { triesMax: 300, perSeconds: 10 * MINUTE },
  login_by_account_and_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  login_by_account: { triesMax: 100, perSeconds: DAY },
  login_by_account_and_network: { triesMax: 100, perSeconds: DAY },
  code_by_login: { triesMax: 10, perSeconds: 15 * MINUTE },
  code_by_login_and_day: { triesMax: 50, perSeconds: DAY },
  code_by_user: { triesMax: 10, perSeconds: 15 * MINUTE },
  code_by_user_and_day: { triesMax: 50, perSeconds: DAY },
  refresh_by_address: { triesMax: 1200, perSeconds: 10 * MINUTE },
  forgot_by_address: { triesMax: 60, perSeconds: HOUR },
  forgot_cooldown: { triesMax: 1, perSeconds: MINUTE },
  forgot_by_account: { triesMax: 10, perSeconds: DAY },
  verification_cooldown: { triesMax: 1, perSeconds: MINUTE },
  verification_by_user: { triesMax: 10, perSeconds: DAY },
  link_by_address: { triesMax: 60, perSeconds: HOUR },
  link_by_user: { triesMax: 30, perSeconds: HOUR },
  password_by_user: { triesMax: 10, perSeconds: 15 * MINUTE },
  password_by_user_and_day: { triesMax: 100, perSeconds: DAY },
  operator_by_address: { triesMax: 300, perSeconds: 10 * MINUTE },
  operator_by_id: { triesMax: 1_800, perSeconds: 10 * MINUTE },
  record_by_operator: { triesMax: 300, perSeconds: HOUR },
  operator_wrong_by_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  operator_sign_in_by_address: { triesMax: 120, perSeconds: 10 * MINUTE },
  operator_sign_in_by_account_and_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  operator_sign_in_by_account: { triesMax: 50, perSeconds: DAY },
  operator_invitation_by_address: { triesMax: 60, perSeconds: HOUR },
  refund_address_by_user: { triesMax: 120, perSeconds: 10 * MINUTE },
  refund_claim_by_user: { triesMax: 20, perSeconds: DAY },
  wallet_message_by_user: { triesMax: 60, perSeconds: HOUR },
  wallet_set_by_user: { triesMax: 20, perSeconds: DAY },
  export_by_user: { triesMax: 20, perSeconds: HOUR },
  webhook_by_address: { triesMax: 6000, perSeconds: 10 * MINUTE },
  webhook_wrong_by_address: { triesMax: 60, perSeconds: 10 * MINUTE },
  webhook_by_hand: { triesMax: 120, perSeconds: 10 * MINUTE },
}

/** Counts in the database, so that all instances share the numbers. */
export function createRateLimits(
  statements: NamedStatements,
  rules: Readonly<Record<RateRule, Rule>> = rateRules,
): RateLimits {
  const keyOf = ({ rule, key }: Try) => `${rule}:${digest(key)}`
  const countedOf = (each: Try) => {
    const { triesMax, perSeconds } = rules[each.rule]
    return { key: keyOf(each), triesMax, perMs: perSeconds * 1000 }
  }

  async function takeInOrder(tries: readonly Try[]): Promise<void> {
    const waitMs = await countTries(statements, tries.map(countedOf))
    if (waitMs === null) return
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    throw new Refusal('TooManyRequests', { retryAfterSeconds })
  }

  return {
    take: (rule, key) => takeInOrder([{ rule, key }]),
    takeInOrder,
    restore: ({ cleared = [], refunded = [] }) =>
      restoreTries(statements, cleared.map(keyOf), refunded.map(keyOf)),
  }
}

/** Keys identify people and places, which the table need not contain. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
