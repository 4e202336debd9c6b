import { sql } from 'kysely'
import { findRow } from '#server/database/tables/rows.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
} from '#server/database/tables/tables.ts'

export type SweepRow = Row<'sweeps'>
export type SweepTransactionRow = Row<'sweep_transactions'>

/** The addresses of keys with a name, with each one's index and which key it belongs to. */
export async function listSweepable(database: Database, keyName: string) {
  const rows = await database
    .selectFrom('derived_addresses')
    .select(['address', 'derivation_index', 'fingerprint'])
    .where('key_name', '=', keyName)
    .orderBy('id')
    .execute()
  return rows.map(({ address, derivation_index: index, fingerprint }) => ({
    address,
    index: Number(index),
    fingerprint,
  }))
}

export async function isDerived(database: Database, address: string): Promise<boolean> {
  return (await findRow(database, 'derived_addresses', { address })) !== null
}

/** Locked until the transaction ends; null if no such file was stored. */
export async function lockSweepOfFile(transaction: DatabaseTransaction, fileHash: string) {
  return await findRow(transaction, 'sweeps', { file_hash: fileHash }, 'for update')
}

/** Stores a file and its transactions. Null if another call has just stored it. */
export async function insertSweep(
  transaction: DatabaseTransaction,
  sweep: InsertedRow<'sweeps'>,
  transactions: readonly Omit<InsertedRow<'sweep_transactions'>, 'sweep_id'>[],
): Promise<SweepRow | null> {
  const row = await transaction
    .insertInto('sweeps')
    .values(sweep)
    .onConflict((conflict) => conflict.column('file_hash').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  for (const part of chunk(transactions)) {
    await transaction
      .insertInto('sweep_transactions')
      .values(part.map((each) => ({ ...each, sweep_id: row.id })))
      .execute()
  }
  return row
}

/** Lets the server send it. False if another sweep is open on the chain. */
export async function openSweep(
  transaction: DatabaseTransaction,
  { id, chain }: Pick<SweepRow, 'id' | 'chain'>,
  at: Date,
): Promise<boolean> {
  // If two are opened at once, one waits here for the other.
  await sql`select pg_advisory_xact_lock(hashtext(${`sweep ${chain}`}))`.execute(transaction)
  if ((await findOpenSweep(transaction, chain)) !== null) return false
  await transaction
    .updateTable('sweeps')
    .set({ state: 'open', opened_at: at })
    .where('id', '=', id)
    .execute()
  return true
}

export async function findOpenSweep(database: Database, chain: string) {
  return await findRow(database, 'sweeps', { chain, state: 'open' })
}

export async function listOpenSweeps(database: Database): Promise<SweepRow[]> {
  return await database.selectFrom('sweeps').selectAll().where('state', '=', 'open').execute()
}

export async function findSweep(database: Database, id: string) {
  return await findRow(database, 'sweeps', { id })
}

/** The newest ones, with how many of their transactions are in each state. */
export async function listSweeps(database: Database, count: number) {
  const sweeps = await database
    .selectFrom('sweeps')
    .selectAll()
    .orderBy('kept_at', 'desc')
    .orderBy('id')
    .limit(count)
    .execute()
  return await Promise.all(
    sweeps.map(async (sweep) => ({
      ...sweep,
      transactions: await listTransactions(database, sweep.id),
    })),
  )
}

/** In the order in which they are sent. */
export async function listTransactions(
  database: Database,
  sweepId: string,
): Promise<SweepTransactionRow[]> {
  return await database
    .selectFrom('sweep_transactions')
    .selectAll()
    .where('sweep_id', '=', sweepId)
    .orderBy('place')
    .execute()
}

/**
 * Updates a transaction that is waiting or sent; false, and no change, if it is no longer in that
 * state: another instance has sent it, or it has ended.
 */
export async function updateSweepTransaction(
  database: Database,
  { sweep_id: sweepId, place, state }: Pick<SweepTransactionRow, 'sweep_id' | 'place' | 'state'>,
  change: Partial<Pick<SweepTransactionRow, 'state' | 'block_height' | 'sent_at' | 'fault'>>,
): Promise<boolean> {
  const row = await database
    .updateTable('sweep_transactions')
    .set(change)
    .where('sweep_id', '=', sweepId)
    .where('place', '=', place)
    .where('state', '=', state)
    .returning('place')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives up unsent transactions. Returns how many there were. */
export async function stopSweep(transaction: DatabaseTransaction, id: string): Promise<number> {
  const rows = await transaction
    .updateTable('sweep_transactions')
    // What it waited for is no longer to be done.
    .set({ state: 'stopped', fault: null })
    .where('sweep_id', '=', id)
    .where('state', '=', 'waiting')
    .returning('place')
    .execute()
  return rows.length
}

/** Gives up what open sweeps have not sent. Returns how many transactions that were. */
export async function stopOpenSweeps(transaction: DatabaseTransaction, at: Date): Promise<number> {
  let stopped = 0
  for (const { id } of await listOpenSweeps(transaction)) {
    stopped += await stopSweep(transaction, id)
    await closeSweep(transaction, id, at)
  }
  return stopped
}

/** Closes it if all of its transactions have ended. */
export async function closeSweep(database: Database, id: string, at: Date): Promise<void> {
  await database
    .updateTable('sweeps')
    .set({ state: 'closed', closed_at: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('sweep_transactions')
            .select('place')
            .where('sweep_id', '=', id)
            .where('state', 'in', ['waiting', 'sent']),
        ),
      ),
    )
    .execute()
}

/** For the metrics: transactions on their way, and recent ones that have failed. */
export async function countSweepTransactions(
  database: Database,
  since: Date,
): Promise<{ inFlight: number; failed: number }> {
  const { rows } = await sql<{ inFlight: number; failed: number }>`
    select
      (count(*) filter (where part.state in ('waiting', 'sent')))::integer as "inFlight",
      (count(*) filter (where part.state = 'failed'))::integer as failed
    from sweeps join sweep_transactions as part on part.sweep_id = sweeps.id
    where sweeps.state = 'open' or sweeps.closed_at > ${since}`.execute(database)
  return rows[0] ?? { inFlight: 0, failed: 0 }
}

/** A sweep that waited for a second person: nothing of it was sent, and nothing will be. */
export async function giveUpKeptSweep(database: Database, id: string, at: Date): Promise<void> {
  await database
    .updateTable('sweeps')
    .set({ state: 'closed', opened_at: at, closed_at: at })
    .where('id', '=', id)
    .where('state', '=', 'kept')
    .execute()
}

/**
 * Stops waiting for what was sent and is in no block. It may still arrive, at the same treasury;
 * until then another list finds its nonces free.
 */
export async function giveUpSent(database: Database, id: string, fault: string): Promise<number> {
  const rows = await database
    .updateTable('sweep_transactions')
    .set({ state: 'failed', fault })
    .where('sweep_id', '=', id)
    .where('state', '=', 'sent')
    .where('block_height', 'is', null)
    .returning('place')
    .execute()
  return rows.length
}
