import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'

import type { Subject } from './check-subjects.ts'
import { hasNoUser, isUnexplained } from './invariant-checks.ts'
import { isLockTaken } from '#server/database/connection/lock-taken.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** Tables whose rows never change: the rows above the last one that was checked are new. */
export const growingTables = [
  'ledger_transfers',
  'purchase_status_history',
  'outbox_mails',
] as const
export type GrowingTable = (typeof growingTables)[number]

/** For transactions that were writing at that moment. */
const WAIT_MAX_MS = 200
const ASKED_EVERY_MS = 5
/** How many rows are read at a time if a table grew by more than that. */
const ROWS_AT_ONCE = 50_000

/**
 * The last row of a table before which no transaction can add another. Ids are assigned when rows
 * are written, but become visible when transactions end, in any order. A transaction that has a
 * lower id and has not ended holds the lock that writing takes: this waits for those, but delays
 * nobody, unlike a lock on the table. Null if they take too long.
 */
export async function findLastRow(database: Database, table: GrowingTable): Promise<bigint | null> {
  const last = await readLastRow(database, table)
  if (last === null) return null
  // Afterwards: a lock is taken before the id, and released after the row is visible.
  const first = await listWriters(database, table)
  const giveUpAt = performance.now() + WAIT_MAX_MS
  for (let left = first; left.size > 0;) {
    if (performance.now() > giveUpAt) return null
    await delay(ASKED_EVERY_MS)
    left = first.intersection(await listWriters(database, table))
  }
  return last
}

/** Null if somebody has locked the whole table. */
async function readLastRow(database: Database, table: GrowingTable): Promise<bigint | null> {
  try {
    return await database.transaction().execute(async (transaction) => {
      await sql`select set_config('lock_timeout', ${String(WAIT_MAX_MS)}, true)`.execute(
        transaction,
      )
      const { rows } = await sql<{ id: bigint | null }>`
        select max(id) as id from ${sql.table(table)}`.execute(transaction)
      return rows[0]?.id ?? 0n
    })
  } catch (fault) {
    // The rows are checked next time.
    if (isLockTaken(fault)) return null
    throw fault
  }
}

/** The transactions that have written into a table, or may be about to. */
async function listWriters(database: Database, table: GrowingTable): Promise<Set<string>> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${table}::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`.execute(
    database,
  )
  return new Set(rows.map(({ writer }) => writer))
}

export async function findCheckedRow(database: Database, table: GrowingTable): Promise<bigint> {
  const row = await database
    .selectFrom('checked_through')
    .select('row_id')
    .where('table_name', '=', table)
    .executeTakeFirst()
  return row?.row_id ?? 0n
}

/** Inserted first, so that on a new database the first check and the first audit take turns too. */
async function lockCheckedRow(
  transaction: DatabaseTransaction,
  table: GrowingTable,
): Promise<bigint> {
  await sql`
    insert into checked_through (table_name, row_id) values (${table}, 0)
    on conflict do nothing`.execute(transaction)
  const { row_id: rowId } = await transaction
    .selectFrom('checked_through')
    .select('row_id')
    .where('table_name', '=', table)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return rowId
}

/**
 * Notes what the new rows of a table up to `last` are about, to be checked, and adds those of the
 * ledger to the balances. Returns whether there are more.
 */
export async function noteNewRows(
  database: Database,
  table: GrowingTable,
  last: bigint,
  timeoutMs: number,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(
      transaction,
    )
    const from = await lockCheckedRow(transaction, table)
    if (from >= last) return false
    const { rows } = await sql<{ id: bigint }>`
      select id from ${sql.table(table)} where id > ${from} and id <= ${last}
      order by id offset ${ROWS_AT_ONCE} limit 1`.execute(transaction)
    const through = rows[0]?.id ?? last
    await notes[table](transaction, from, through)
    await transaction
      .updateTable('checked_through')
      .set({ row_id: through })
      .where('table_name', '=', table)
      .execute()
    return through < last
  })
}

const notes: Record<
  GrowingTable,
  (transaction: DatabaseTransaction, from: bigint, through: bigint) => Promise<unknown>
> = {
  ledger_transfers: async (transaction, from, through) => {
    const fresh = sql`id > ${from} and id <= ${through}`
    await sql`
      insert into checked_balances (account, asset, received, given)
      ${sumTransfers(from, through)}
      ${addingUp}`.execute(transaction)
    await sql`
      insert into unchecked (kind, subject)
      select distinct 'purchase', cause_id::text from ledger_transfers
      where ${fresh} and cause_id is not null
        and not exists (select from rewards where rewards.id = cause_id)
      union all
      select distinct 'user', user_id::text from ledger_transfers
      where ${fresh} and user_id is not null
      union all
      select 'transfer', id::text from ledger_transfers as transfer
      where ${fresh} and ${isUnexplained}`.execute(transaction)
  },
  purchase_status_history: (transaction, from, through) =>
    sql`
      insert into unchecked (kind, subject)
      select distinct 'purchase', purchase_id::text from purchase_status_history
      where id > ${from} and id <= ${through}`.execute(transaction),
  outbox_mails: (transaction, from, through) =>
    sql`
      insert into unchecked (kind, subject)
      select 'mail', id::text from outbox_mails as mail
      where id > ${from} and id <= ${through} and ${hasNoUser}`.execute(transaction),
}

const addingUp = sql`
  on conflict (account, asset) do update set
    received = checked_balances.received + excluded.received,
    given = checked_balances.given + excluded.given`

export type AccountTotals = { account: string; asset: string; received: bigint; given: bigint }

/** The transfers after one and up to another, added up for each account that belongs to no user. */
export function sumTransfers(from: bigint, through: bigint) {
  return sql<AccountTotals>`
    select account, asset, sum(received) as received, sum(given) as given
    from (
      select destination as account, asset, amount::numeric as received, 0::numeric as given
      from ledger_transfers where id > ${from} and id <= ${through}
      union all
      select source, asset, 0, amount::numeric
      from ledger_transfers where id > ${from} and id <= ${through}
    ) as movement
    where account not like 'user:%'
    group by account, asset`
}

/** Replaces stored balances with those added up from the first transfer. */
export async function replaceBalances(
  database: Database,
  balances: readonly AccountTotals[],
  through: bigint,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const checkedThrough = await lockCheckedRow(transaction, 'ledger_transfers')
    await transaction.deleteFrom('checked_balances').execute()
    if (balances.length > 0) {
      await transaction
        .insertInto('checked_balances')
        .values([...balances])
        .execute()
    }
    await sql`
      insert into checked_balances (account, asset, received, given)
      ${sumTransfers(through, checkedThrough)}
      ${addingUp}`.execute(transaction)
  })
}

export async function noteSubjects(
  database: Database,
  subjects: readonly Subject[],
): Promise<void> {
  if (subjects.length === 0) return
  await database
    .insertInto('unchecked')
    .values([...subjects])
    .execute()
}

export type NotedSubject = Subject & { id: bigint }

/**
 * Has checks take turns, for the rest of the transaction: what one finds broken is noted anew
 * before another looks. False while another has its turn. Changes to be checked are noted all the
 * while.
 */
export async function tryLockNoted(transaction: DatabaseTransaction): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('unchecked')) as is_locked`.execute(transaction)
  return rows[0]?.is_locked === true
}

/**
 * What was noted, after a note. Notes of one subject are next to each other: what several rows told
 * of is checked once.
 */
export async function listNoted(
  database: Database,
  after: NotedSubject | null,
  countMax: number,
): Promise<NotedSubject[]> {
  let query = database
    .selectFrom('unchecked')
    .selectAll()
    .orderBy('kind')
    .orderBy('subject')
    .orderBy('id')
    .limit(countMax)
  if (after !== null) {
    query = query.where(
      sql<boolean>`(kind, subject, id) > (${after.kind}, ${after.subject}, ${after.id})`,
    )
  }
  return await query.execute()
}

/** Removes what was checked. A subject that was noted again meanwhile is another row, and stays. */
export async function deleteNoted(
  transaction: DatabaseTransaction,
  noted: readonly NotedSubject[],
): Promise<void> {
  await transaction
    .deleteFrom('unchecked')
    .where('id', '=', sql<bigint>`any (${noted.map(({ id }) => id)}::bigint[])`)
    .execute()
}
