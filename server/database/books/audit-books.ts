import type { NotRun } from './breach.ts'
import { listSubjects, subjectKinds } from './check-subjects.ts'
import type { SubjectKind } from './subject-check.ts'
import { checkAnyway } from './check-books.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { type AccountTotals, findCheckedRow, replaceBalances, sumTransfers } from './unchecked.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A transfer or a mail takes one look-up, a purchase or a user a dozen. */
const SUBJECTS_AT_ONCE = {
  purchase: 1_000,
  user: 1_000,
  transfer: 10_000,
  mail: 10_000,
  snapshot: 1,
  distribution: 1,
}
const TRANSFERS_AT_ONCE = 50_000n
/** A page that cannot be read once may be readable at the next attempt. */
const TRIES = 3

/**
 * Checks everything in the database, a page at each step, and adds up the ledger from its first
 * transfer. Each step says what could not be checked. Breaches are noted for the next check.
 */
export async function* auditBooks(
  database: Database,
  timeoutMs: number,
): AsyncGenerator<readonly NotRun[]> {
  yield* addUpLedger(database)
  for (const kind of subjectKinds) yield* auditSubjects(database, kind, timeoutMs)
}

async function* auditSubjects(
  database: Database,
  kind: SubjectKind,
  timeoutMs: number,
): AsyncGenerator<readonly NotRun[]> {
  const next = (after: string | null) => listSubjects(database, kind, after, SUBJECTS_AT_ONCE[kind])
  for await (const page of readInBatches(next, ({ subject }) => subject)) {
    yield await tryAgain(`all_of_${kind}`, () => checkAnyway(database, page, timeoutMs))
  }
}

/** Other checks continue from stored balances: a changed transfer shows only here. */
async function* addUpLedger(database: Database): AsyncGenerator<readonly NotRun[]> {
  const through = await findCheckedRow(database, 'ledger_transfers')
  const balances = new Map<string, AccountTotals>()
  for (let from = 0n; from < through; from += TRANSFERS_AT_ONCE) {
    const to = from + TRANSFERS_AT_ONCE < through ? from + TRANSFERS_AT_ONCE : through
    const { rows } = await sumTransfers(from, to).execute(database)
    for (const { account, asset, received, given } of rows) {
      const key = `${account} ${asset}`
      const before = balances.get(key) ?? { received: 0n, given: 0n }
      balances.set(key, {
        account,
        asset,
        received: before.received + received,
        given: before.given + given,
      })
    }
    yield []
  }
  await replaceBalances(database, [...balances.values()], through)
}

async function tryAgain(
  check: string,
  make: () => Promise<readonly NotRun[]>,
): Promise<readonly NotRun[]> {
  for (let tried = 1; ; tried += 1) {
    try {
      const notRun = await make()
      if (notRun.length === 0 || tried === TRIES) return notRun
    } catch (fault) {
      if (tried < TRIES) continue
      return [{ check, fault: fault instanceof Error ? fault.message : String(fault) }]
    }
  }
}
