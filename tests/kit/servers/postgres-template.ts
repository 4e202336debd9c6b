import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { providePostgres } from '#tools/testing/start-postgres.ts'
import { databaseUrl, listDatabases, runOnServer } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      /** A server on which databases may be created. */
      serverUrl: string
      /** The name of a database with tables and no rows; the names of its copies begin with it. */
      template: string
    }
  }
}

/**
 * Uses the server that TEST_DATABASE_URL names or starts one, and makes on it the database of which
 * all others are copies. Returns the function that cleans up.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await providePostgres()
  const template = `presale_template_${randomBytes(6).toString('hex')}`
  const clean = async () => {
    for (const name of await listDatabases(server.url, template)) {
      await runOnServer(server.url, `drop database ${name} with (force)`)
    }
    await server.stop()
  }
  try {
    await runOnServer(server.url, `create database ${template}`)
    const open = await openDatabase({ kind: 'postgres', url: databaseUrl(server.url, template) })
    await open.close()
    project.provide('postgres', { serverUrl: server.url, template })
    return clean
  } catch (error) {
    await clean()
    throw error
  }
}
