import type { NotRun } from './breach.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** The last audit: the next check reports the breaches that it found. */
export type StoredAudit = { endedAt: Date; durationMs: number; notRun: readonly NotRun[] }

/** Stores an audit in place of the previous one. */
export async function saveAudit(database: Database, audit: StoredAudit): Promise<void> {
  const row = {
    ended_at: audit.endedAt,
    duration_ms: audit.durationMs,
    not_run: JSON.stringify(audit.notRun),
  }
  await database
    .insertInto('audits')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Null before the first. */
export async function findAudit(database: Database): Promise<StoredAudit | null> {
  const audit = await database
    .selectFrom('audits')
    .select(['ended_at as endedAt', 'duration_ms as durationMs', 'not_run as notRun'])
    .executeTakeFirst()
  return audit ?? null
}
