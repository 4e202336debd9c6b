import type { InvariantReport } from '#server/database/books/check-books.ts'
import type { AcceptedBreach } from '#server/database/tables/sale-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type SalePause = {
  isPaused: boolean
  /** Null if the sale is not paused, or nobody gave a reason. */
  reason: string | null
  pausedAt: Date | null
  /** The breaches that an operator accepted by resuming with force. */
  accepted: readonly AcceptedBreach[]
}

export async function readPause(database: Database): Promise<SalePause> {
  return await database
    .selectFrom('sale')
    .select(['is_paused as isPaused', 'pause_reason as reason', 'paused_at as pausedAt'])
    .select('accepted_breaches as accepted')
    .executeTakeFirstOrThrow()
}

/** The same, locked against others that pause, resume or sell meanwhile. */
export async function lockPause(transaction: DatabaseTransaction): Promise<SalePause> {
  await transaction.selectFrom('sale').select('id').forNoKeyUpdate().executeTakeFirstOrThrow()
  return await readPause(transaction)
}

/** Pauses or resumes the sale. Call it under {@link lockPause}. */
export async function savePause(transaction: DatabaseTransaction, pause: SalePause): Promise<void> {
  await transaction
    .updateTable('sale')
    .set({
      is_paused: pause.isPaused,
      pause_reason: pause.reason,
      paused_at: pause.pausedAt,
      accepted_breaches: JSON.stringify(pause.accepted),
    })
    .execute()
}

export type StoredReport = InvariantReport & { checkedAt: Date; durationMs: number }

/** Stores a report in place of the previous one. */
export async function saveReport(database: Database, report: StoredReport): Promise<void> {
  const row = {
    checked_at: report.checkedAt,
    duration_ms: report.durationMs,
    breaches: JSON.stringify(report.breaches),
    not_run: JSON.stringify(report.notRun),
  }
  await database
    .insertInto('invariant_checks')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Null before the first check. */
export async function findReport(database: Database): Promise<StoredReport | null> {
  const report = await database
    .selectFrom('invariant_checks')
    .select(['checked_at as checkedAt', 'duration_ms as durationMs', 'breaches'])
    .select('not_run as notRun')
    .executeTakeFirst()
  return report ?? null
}
