import { sql } from 'kysely'

import type { Breach } from '#server/database/books/breach.ts'
import { listSubjects, subjectKinds } from '#server/database/books/check-subjects.ts'
import { subjectChecks } from '#server/database/books/invariant-checks.ts'
import type { SubjectBreach } from '#server/database/books/subject-check.ts'
import { totalChecks } from '#server/database/books/total-checks.ts'
import type { Database } from '#server/database/tables/tables.ts'

const PAGE = 1_000

/**
 * All breaches in the database, as sentences; empty if there are none. Also inside a transaction.
 * It relies on nothing that was checked before.
 */
export async function listBrokenInvariants(database: Database): Promise<string[]> {
  const faults: string[] = []
  const nothing = sql`select null::text as account, null::text as asset, 0 as balance where false`
  for (const { find } of totalChecks(nothing, 0n)) {
    const { rows } = await sql<Omit<Breach, 'check'>>`${find}`.execute(database)
    faults.push(...rows.map(({ fault }) => fault))
  }
  for (const kind of subjectKinds) {
    const checks = subjectChecks.filter((check) => check.kind === kind)
    let page = await listSubjects(database, kind, null, PAGE)
    while (page.length > 0) {
      const ids = page.map(({ subject }) => subject)
      for (const { find } of checks) {
        const { rows } = await sql<SubjectBreach>`${find(ids)}`.execute(database)
        faults.push(...rows.map(({ fault }) => fault))
      }
      page = await listSubjects(database, kind, ids.at(-1) ?? null, PAGE)
    }
  }
  return faults
}
