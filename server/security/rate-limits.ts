import { createHash } from 'node:crypto'

import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { RateLimits, RateRule } from '#server/ports/security.ts'

type Rule = { triesMax: number; perSeconds: number }

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How often something may be tried by one key: an address, an account, a user. What counts as one
 * address is decided by `connectionOf`. It may be shared by a household or an office, so that its
 * limits are generous. The passwords of one account may be tried 100 times a day from unknown
 * networks, and 100 times from each network that it has logged in from, so that guesses of
 * strangers lock nobody out.
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
  operator_wrong_by_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  export_by_user: { triesMax: 20, perSeconds: HOUR },
  webhook_by_address: { triesMax: 6000, perSeconds: 10 * MINUTE },
  webhook_wrong_by_address: { triesMax: 60, perSeconds: 10 * MINUTE },
}

/** Counts in the database, so that all instances share the numbers. */
export function createRateLimits(
  database: Database,
  rules: Readonly<Record<RateRule, Rule>> = rateRules,
): RateLimits {
  const limiters = new Map(
    ruleNames.map((name) => [name, createLimiter(database, name, rules[name])]),
  )
  const limiterOf = (rule: RateRule) => {
    const limiter = limiters.get(rule)
    invariant(limiter !== undefined, 'Every rate rule has a limiter.')
    return limiter
  }

  return {
    async take(rule, key) {
      try {
        await limiterOf(rule).consume(digest(key))
      } catch (fault) {
        if (!(fault instanceof RateLimiterRes)) throw fault
        const retryAfterSeconds = Math.max(1, Math.ceil(fault.msBeforeNext / 1000))
        throw new Refusal('TooManyRequests', { retryAfterSeconds })
      }
    },
    async clear(rule, key) {
      await limiterOf(rule).delete(digest(key))
    },
    async refund(rule, key) {
      await limiterOf(rule).reward(digest(key))
    },
  }
}

const ruleNames = Object.keys(rateRules) as RateRule[]

function createLimiter(database: Database, name: RateRule, rule: Rule): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: asQueryClient(database),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // A worker deletes expired rows for all rules.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: rule.triesMax,
    duration: rule.perSeconds,
  })
}

/** The part of a `pg` client that the limiter uses, for either database. */
function asQueryClient(database: Database) {
  return {
    async query(query: { text: string; values: unknown[] }) {
      const result = await database.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(query.text, query.values),
      )
      // `bigint` columns are read as BigInt, which the limiter does not calculate with.
      const rows = result.rows.map((row) => ({
        ...row,
        ...(typeof row['expire'] === 'bigint' && { expire: Number(row['expire']) }),
      }))
      return { rows, rowCount: Number(result.numAffectedRows ?? rows.length) }
    },
  }
}

/** Keys identify people and places, which the table need not know. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
