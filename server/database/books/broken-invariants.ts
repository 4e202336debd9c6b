import { sql } from 'kysely'
import { type Breach, type InvariantCheck, invariantChecks } from './invariant-checks.ts'
import type { Database } from '#server/database/tables/tables.ts'

export type { Breach } from './invariant-checks.ts'

/** The result of all checks. */
export type InvariantReport = {
  breaches: readonly Breach[]
  /** The checks that could not be made, by name, with why. */
  notRun: readonly { check: string; fault: string }[]
}

/** Sums over all purchases are hashed in memory, not on the disk. */
const WORK_MEMORY = '64MB'

/**
 * Makes every check on one snapshot of the database, so that a concurrent change cannot
 * look like a breach. A check that takes longer than `timeoutMs` or fails does not stop the others.
 */
export async function checkInvariants(
  database: Database,
  timeoutMs: number,
): Promise<InvariantReport> {
  return await database.transaction().execute(async (transaction) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(transaction)
    await sql`
      select
        set_config('statement_timeout', ${String(timeoutMs)}, true),
        set_config('work_mem', ${WORK_MEMORY}, true),
        set_config('jit', 'off', true)`.execute(transaction)
    const breaches: Breach[] = []
    const notRun: { check: string; fault: string }[] = []
    for (const check of invariantChecks) {
      await sql`savepoint check_of_invariant`.execute(transaction)
      try {
        breaches.push(...(await findBreaches(transaction, check)))
      } catch (fault) {
        await sql`rollback to savepoint check_of_invariant`.execute(transaction)
        notRun.push({
          check: check.name,
          fault: fault instanceof Error ? fault.message : String(fault),
        })
      }
    }
    return { breaches, notRun }
  })
}

/**
 * All breaches as sentences; empty where there are none. For tests, also in the middle of a
 * transaction.
 */
export async function listBrokenInvariants(database: Database): Promise<string[]> {
  const faults: string[] = []
  for (const check of invariantChecks) {
    faults.push(...(await findBreaches(database, check)).map(({ fault }) => fault))
  }
  return faults
}

/** A table that is damaged as a whole would otherwise be reported row by row. */
const BREACHES_MAX = 100

async function findBreaches(database: Database, { name, find }: InvariantCheck): Promise<Breach[]> {
  const { rows } = await sql<Omit<Breach, 'check'>>`
    select * from (${find}) as breach limit ${BREACHES_MAX}`.execute(database)
  return rows.map(({ subject, fault }) => ({ check: name, subject, fault }))
}
