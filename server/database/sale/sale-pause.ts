import type { InvariantReport } from '#server/database/books/check-books.ts'
import type { AcceptedBreach } from '#server/database/tables/sale-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type SalePause = {
  /** Null if the sale is not paused. */
  paused: { reason: string; since: Date } | null
  /** The breaches that an operator accepted by resuming with force. */
  accepted: readonly AcceptedBreach[]
}

export async function readPause(database: Database): Promise<SalePause> {
  const { reason, since, accepted } = await database
    .selectFrom('sale')
    .select(['pause_reason as reason', 'paused_at as since', 'accepted_breaches as accepted'])
    .executeTakeFirstOrThrow()
  return { paused: reason === null || since === null ? null : { reason, since }, accepted }
}

/** The same, locked against others that pause, resume or sell meanwhile. */
export async function lockPause(transaction: DatabaseTransaction): Promise<SalePause> {
  await transaction.selectFrom('sale').select('id').forNoKeyUpdate().executeTakeFirstOrThrow()
  return await readPause(transaction)
}

/** Pauses or resumes the sale. Call it under {@link lockPause}. */
export async function savePause(
  transaction: DatabaseTransaction,
  { paused, accepted }: SalePause,
): Promise<void> {
  await transaction
    .updateTable('sale')
    .set({
      pause_reason: paused?.reason ?? null,
      paused_at: paused?.since ?? null,
      accepted_breaches: JSON.stringify(accepted),
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
