import { sql } from 'kysely'

import { type Usd, usd } from '#domain/money.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What was credited for purchases in one payment token, or on one day in UTC. */
export type CreditedSum = { count: bigint; creditedUsd: Usd }

export type SaleSums = {
  creditedUsd: Usd
  byStatus: ReadonlyMap<PurchaseStatus, bigint>
  /** Of the purchases that were credited, by payment token. */
  byToken: readonly (CreditedSum & { paymentTokenId: string })[]
  /** From `since` on, by day such as `2026-11-22`, without days on which nothing was credited. */
  byDay: readonly (CreditedSum & { day: string })[]
}

/** The running totals of all purchases, read from one row for each day, token and status. */
export async function readSaleSums(database: Database, since: Date): Promise<SaleSums> {
  const firstDay = since.toISOString().slice(0, 10)
  const [statuses, tokens, days] = await Promise.all([
    database
      .selectFrom('purchase_sums')
      .select(['status', sql<bigint>`sum(count)`.as('count')])
      .groupBy('status')
      .execute(),
    database
      .selectFrom('purchase_sums')
      .select([
        'payment_token_id as paymentTokenId',
        sql<bigint>`sum(count)`.as('count'),
        sql<Usd>`sum(credited_usd)`.as('creditedUsd'),
      ])
      .where('status', '=', 'completed')
      .groupBy('payment_token_id')
      .orderBy('creditedUsd', 'desc')
      .orderBy('payment_token_id')
      .execute(),
    database
      .selectFrom('purchase_sums')
      .select([
        sql<string>`day::text`.as('day'),
        sql<bigint>`sum(count)`.as('count'),
        sql<Usd>`sum(credited_usd)`.as('creditedUsd'),
      ])
      .where('status', '=', 'completed')
      .where(sql<boolean>`day >= ${firstDay}::date`)
      .groupBy('day')
      .orderBy('day')
      .execute(),
  ])
  return {
    creditedUsd: usd(tokens.reduce((sum, { creditedUsd }) => sum + creditedUsd, 0n)),
    byStatus: new Map(statuses.map(({ status, count }) => [status, count])),
    byToken: tokens,
    byDay: days,
  }
}

export type Funnel = Record<'visited' | 'registered' | 'bought' | 'paid', bigint>

export async function readFunnel(database: Database): Promise<Funnel> {
  const rows = await database
    .selectFrom('funnel_days')
    .select(['step', sql<bigint>`sum(count)`.as('count')])
    .groupBy('step')
    .execute()
  const none: Funnel = { visited: 0n, registered: 0n, bought: 0n, paid: 0n }
  return { ...none, ...Object.fromEntries(rows.map(({ step, count }) => [step, count])) }
}

/** Adds sent pages to the day's count. */
export async function addVisits(database: Database, count: number): Promise<void> {
  await sql`select count_step('visited', ${count}::bigint)`.execute(database)
}
