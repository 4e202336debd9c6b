import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { inject } from 'vitest'
import {
  openDatabase,
  type DatabaseConfig,
  type OpenDatabase,
} from '#server/database/connection/open-database.ts'
import { emptyTables } from './empty-tables.ts'
import { databaseUrl, runOnServer } from './postgres-databases.ts'

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
  const snapshot = await openAsBlob(inject('embeddedSnapshot'))
  const config: DatabaseConfig = { kind: 'embedded', folder: null, snapshot }
  return { ...(await openDatabase(config)), config }
}

async function openPostgres(): Promise<TestDatabase> {
  const { serverUrl, template } = inject('postgres')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await runOnServer(serverUrl, `create database ${name} template ${template}`)
  const config: DatabaseConfig = { kind: 'postgres', url: databaseUrl(serverUrl, name) }
  const open = await openDatabase(config)
  return {
    ...open,
    config,
    close: async () => {
      await open.close()
      await runOnServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}
