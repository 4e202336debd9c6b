import { sql } from 'kysely'

import type { Breach, NotRun } from './breach.ts'
import { subjectChecks } from './invariant-checks.ts'
import type { SubjectBreach, SubjectKind } from './subject-check.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** One thing that the books are checked for. */
export type Subject = { kind: SubjectKind; subject: string }

/** What checking some subjects found. */
export type Findings = {
  breaches: Breach[]
  notRun: NotRun[]
  /** Subjects to check again: broken ones, and those that could not be checked. */
  left: Subject[]
}

/** Without this limit, a damaged table would be reported row by row. */
export const BREACHES_MAX = 100

/** If one check fails, the others still run. */
export async function trySafely<Result>(
  transaction: DatabaseTransaction,
  check: string,
  notRun: NotRun[],
  make: () => Promise<Result>,
): Promise<Result | null> {
  await sql`savepoint check_of_invariant`.execute(transaction)
  try {
    return await make()
  } catch (fault) {
    await sql`rollback to savepoint check_of_invariant`.execute(transaction)
    notRun.push({ check, fault: fault instanceof Error ? fault.message : String(fault) })
    return null
  }
}

export async function checkSubjects(
  transaction: DatabaseTransaction,
  subjects: readonly Subject[],
): Promise<Findings> {
  const findings: Findings = { breaches: [], notRun: [], left: [] }
  const ids = idsByKind(subjects)
  for (const check of subjectChecks) {
    const own = ids[check.kind]
    if (own.length === 0) continue
    const found = await trySafely(transaction, check.name, findings.notRun, () =>
      sql<SubjectBreach>`${check.find(own)}`.execute(transaction),
    )
    const owners = found === null ? own : found.rows.map(({ owner }) => owner)
    findings.left.push(...owners.map((subject) => ({ kind: check.kind, subject })))
    for (const { subject, fault } of found?.rows ?? []) {
      findings.breaches.push({ check: check.name, subject, fault })
    }
  }
  findings.left = uniqueSubjects(findings.left)
  return findings
}

export function uniqueSubjects(subjects: readonly Subject[]): Subject[] {
  return [...new Map(subjects.map((each) => [`${each.kind} ${each.subject}`, each])).values()]
}

function idsByKind(subjects: readonly Subject[]): Record<SubjectKind, string[]> {
  const of = (kind: SubjectKind) => [
    ...new Set(subjects.filter((each) => each.kind === kind).map(({ subject }) => subject)),
  ]
  return {
    purchase: of('purchase'),
    user: of('user'),
    transfer: of('transfer'),
    mail: of('mail'),
    snapshot: of('snapshot'),
    distribution: of('distribution'),
  }
}

/** The users of these purchases, whose balances depend on them. */
export async function listBuyers(
  database: Database,
  subjects: readonly Subject[],
): Promise<Subject[]> {
  const { purchase } = idsByKind(subjects)
  if (purchase.length === 0) return []
  const buyers = await database
    .selectFrom('purchases')
    .select('user_id')
    .distinct()
    .where('id', '=', sql<string>`any (${purchase}::uuid[])`)
    .execute()
  return buyers.map(({ user_id }) => ({ kind: 'user', subject: user_id }))
}

const subjectTables = {
  purchase: 'purchases',
  user: 'users',
  transfer: 'ledger_transfers',
  mail: 'outbox_mails',
  snapshot: 'snapshots',
  distribution: 'distributions',
} as const satisfies Record<SubjectKind, string>

export const subjectKinds = Object.keys(subjectTables) as SubjectKind[]

/**
 * The next subjects of a kind in the order of their ids, after a given one, or from the first if
 * null.
 */
export async function listSubjects(
  database: Database,
  kind: SubjectKind,
  after: string | null,
  countMax: number,
): Promise<Subject[]> {
  const table = sql.table(subjectTables[kind])
  const id = sql.ref(kind === 'snapshot' ? 'number' : 'id')
  const beyond = after === null ? sql`true` : sql`${id} > ${after}`
  const { rows } = await sql<{ id: string | bigint | number }>`
    select ${id} as id from ${table} where ${beyond} order by ${id} limit ${countMax}`.execute(
    database,
  )
  return rows.map(({ id }) => ({ kind, subject: String(id) }))
}
