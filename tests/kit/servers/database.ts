import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import {
  openDatabase,
  type DatabaseConfig,
  type OpenDatabase,
} from '#server/database/connection/open-database.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { emptyTables } from './empty-tables.ts'
import { copyTemplate } from './postgres-databases.ts'

export type TestDatabase = OpenDatabase & {
  /** What opened it; on PostgreSQL it opens the same database a second time. */
  config: DatabaseConfig
}

/**
 * A fresh database with its tables and no rows, of the kind that the test's project runs on.
 * `close` discards it.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  return process.env['TEST_DATABASE'] === 'postgres' ? await openPostgres() : await openEmbedded()
}

const idle: TestDatabase[] = []

/**
 * A database without rows, which earlier tests in this process may have used; `close` hands it
 * back. Its tables have to stay as they were.
 */
export async function takeTestDatabase(): Promise<TestDatabase> {
  const used = idle.pop()
  if (used !== undefined) await emptyTables(used.database)
  const open = used ?? (await openTestDatabase())
  return {
    ...open,
    close: async () => {
      idle.push(open)
    },
  }
}

async function openEmbedded(): Promise<TestDatabase> {
  // A blob of the file itself cannot be read any more once another test run has touched the file.
  const snapshot = new Blob([await readFile(inject('embeddedSnapshot'))])
  const config: DatabaseConfig = { kind: 'embedded', folder: null, snapshot }
  return { ...(await openDatabase(config)), config }
}

async function openPostgres(): Promise<TestDatabase> {
  const { url, drop } = await copyTemplate(inject('postgres'))
  const config: DatabaseConfig = { kind: 'postgres', url }
  const open = await openDatabase(config)
  return {
    ...open,
    config,
    close: async () => {
      await open.close()
      await drop()
    },
  }
}

type Act = (transaction: DatabaseTransaction) => Promise<unknown>

/** Locks something in a transaction of its own, which the returned function ends. */
export async function hold(
  database: Database,
  lock: Act,
  atEnd: Act = async () => {},
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = database.transaction().execute(async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await lock(transaction)
    held.resolve()
    await released.promise
    await atEnd(transaction)
  })
  await Promise.race([held.promise, holding])
  return async () => {
    released.resolve()
    await holding
  }
}

/** Waits until so many connections to a PostgreSQL database wait for a lock. */
export async function expectWaiting(database: Database, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database)
    return rows.length
  }
  await expect.poll(waiting, { timeout: 15_000 }).toBe(count)
}
