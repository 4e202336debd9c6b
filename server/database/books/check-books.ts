import { setTimeout as delay } from 'node:timers/promises'

import { sql } from 'kysely'

import type { Breach, NotRun } from './breach.ts'
import {
  BREACHES_MAX,
  checkSubjects,
  type Findings,
  listBuyers,
  type Subject,
  trySafely,
  uniqueSubjects,
} from './check-subjects.ts'
import { subjectChecks } from './invariant-checks.ts'
import { totalChecks } from './total-checks.ts'
import {
  deleteNoted,
  findCheckedRow,
  findLastRow,
  growingTables,
  type GrowingTable,
  listNoted,
  type NotedSubject,
  noteNewRows,
  noteSubjects,
  tryLockNoted,
} from './unchecked.ts'
import { inSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type InvariantReport = {
  breaches: readonly Breach[]
  /** The checks that could not be run, by name, with the reason. */
  notRun: readonly NotRun[]
}

/** Their subjects are as many as one statement can look up. */
const NOTES_AT_ONCE = 1_000
/** Somebody may be in a long write. */
const TRIES = 5

/**
 * Checks everything that was changed since the last time or was broken then, and the sums. A check
 * that takes longer than `timeoutMs` or fails does not stop the others; its subjects are checked
 * again next time. Several callers at once each find whatever was known to be broken before.
 */
export async function checkInvariants(
  database: Database,
  timeoutMs: number,
): Promise<InvariantReport> {
  const notRun: NotRun[] = []
  for (const table of growingTables) {
    const fault = await lookForNewRows(database, table, timeoutMs)
    if (fault !== null) notRun.push({ check: `new_rows_of_${table}`, fault })
  }
  const totals = await checkTotals(database, timeoutMs)
  const breaches = [...totals.breaches]
  notRun.push(...totals.notRun)
  try {
    for await (const page of checkAllNoted(database, timeoutMs)) {
      breaches.push(...page.breaches)
      notRun.push(...page.notRun)
    }
  } catch (fault) {
    // Earlier breaches are still reported, since they may have to pause the sale. What an operator
    // has accepted stays accepted, since none of these checks says that it is fixed.
    notRun.push(...subjectChecks.map(({ name }) => ({ check: name, fault: sentenceOf(fault) })))
  }
  const each = withoutRepeated(breaches).toSorted(bySubject)
  return { breaches: fewOfEach(each), notRun: fewOfEach(notRun, 1) }
}

/**
 * To the end of the notes, however late they were made: what another check finds broken meanwhile
 * gets new ones.
 */
async function* checkAllNoted(database: Database, timeoutMs: number): AsyncGenerator<Findings> {
  for (let after: NotedSubject | null = null; ;) {
    const page = await checkInSlot(database, after, timeoutMs)
    yield page
    if (page.next === null) return
    after = page.next
  }
}

/** A page of another check takes as long as its statements may take together. */
const SLOT_WITHIN_MS = 60_000
const SLOT_EVERY_MS = 100

/** Waits for its slot outside of a transaction, so that no limit of statements ends the wait. */
async function checkInSlot(
  database: Database,
  after: NotedSubject | null,
  timeoutMs: number,
): Promise<Page> {
  const giveUpAt = performance.now() + SLOT_WITHIN_MS
  while (performance.now() < giveUpAt) {
    const page = await checkNoted(database, after, timeoutMs)
    if (page !== null) return page
    await delay(SLOT_EVERY_MS)
  }
  throw new Error('Another check of the books takes too long. Try again once it is done')
}

/** Why it failed; null if it worked. */
async function lookForNewRows(
  database: Database,
  table: GrowingTable,
  timeoutMs: number,
): Promise<string | null> {
  try {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const last = await findLastRow(database, table)
      if (last === null) continue
      while (await noteNewRows(database, table, last, timeoutMs));
      return null
    }
    return 'Somebody was writing into it all the time'
  } catch (fault) {
    return sentenceOf(fault)
  }
}

const sentenceOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault))

async function checkTotals(database: Database, timeoutMs: number): Promise<InvariantReport> {
  return await inSnapshot(database, async (snapshot) => {
    await limitStatements(snapshot, timeoutMs)
    const breaches: Breach[] = []
    const notRun: NotRun[] = []
    const throughId = await findCheckedRow(snapshot, 'ledger_transfers')
    const known = sql`select account, asset, received - given as balance from checked_balances`
    for (const { name, find } of totalChecks(known, throughId)) {
      const found = await trySafely(snapshot, name, notRun, () =>
        sql<Omit<Breach, 'check'>>`${find}`.execute(snapshot),
      )
      breaches.push(...(found?.rows ?? []).map((breach) => ({ check: name, ...breach })))
    }
    return { breaches, notRun }
  })
}

type Page = Findings & { next: NotedSubject | null }

/** Null while another check has its turn. */
async function checkNoted(
  database: Database,
  after: NotedSubject | null,
  timeoutMs: number,
): Promise<Page | null> {
  return await database.transaction().execute(async (transaction) => {
    if (!(await tryLockNoted(transaction))) return null
    await limitStatements(transaction, timeoutMs)
    const noted = await listNoted(transaction, after, NOTES_AT_ONCE)
    const notRun: NotRun[] = []
    const buyers = await trySafely(transaction, 'buyers_of_purchases', notRun, () =>
      listBuyers(transaction, noted),
    )
    const findings = await checkSubjects(transaction, [...noted, ...(buyers ?? [])])
    await deleteNoted(transaction, noted)
    // Without their buyers, the purchases were not checked completely.
    const left = buyers === null ? noted.map(({ kind, subject }) => ({ kind, subject })) : []
    await noteSubjects(transaction, uniqueSubjects([...findings.left, ...left]))
    const next = noted.length < NOTES_AT_ONCE ? null : (noted.at(-1) ?? null)
    return { ...findings, notRun: [...notRun, ...findings.notRun], next }
  })
}

/** Checks subjects that may not have changed, and has the check above report breaches. */
export async function checkAnyway(
  database: Database,
  subjects: readonly Subject[],
  timeoutMs: number,
): Promise<readonly NotRun[]> {
  return await database.transaction().execute(async (transaction) => {
    await limitStatements(transaction, timeoutMs)
    const { left, notRun } = await checkSubjects(transaction, subjects)
    await noteSubjects(transaction, left)
    return notRun
  })
}

async function limitStatements(transaction: DatabaseTransaction, timeoutMs: number): Promise<void> {
  await sql`
    select
      set_config('statement_timeout', ${String(timeoutMs)}, true),
      set_config('jit', 'off', true)`.execute(transaction)
}

/** What is broken is found again by its new note if that is on a later page. */
function withoutRepeated(breaches: readonly Breach[]): Breach[] {
  const keyOf = ({ check, subject, fault }: Breach) => `${check} ${subject} ${fault}`
  return [...new Map(breaches.map((breach) => [keyOf(breach), breach])).values()]
}

/** Of many breaches the same ones are reported each time, so that accepted ones stay accepted. */
function bySubject(one: Breach, other: Breach): number {
  return one.subject < other.subject ? -1 : Number(one.subject > other.subject)
}

function fewOfEach<Found extends { check: string }>(
  found: readonly Found[],
  most = BREACHES_MAX,
): Found[] {
  return [...Map.groupBy(found, ({ check }) => check).values()].flatMap((each) =>
    each.slice(0, most),
  )
}
