import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { providePostgres } from '#tools/testing/start-postgres.ts'

export type PostgresTemplate = {
  /** A server on which databases may be created. */
  serverUrl: string
  /** The name of a database with tables and no rows; the names of its copies begin with it. */
  template: string
}

/**
 * Uses the server that TEST_DATABASE_URL names or starts one, and makes on it the database of which
 * all others are copies. `clean` removes it and them.
 */
export async function makePostgresTemplate(): Promise<
  PostgresTemplate & { clean: () => Promise<void> }
> {
  const server = await providePostgres()
  const serverUrl = server.url
  const template = `presale_template_${randomBytes(6).toString('hex')}`
  const clean = async () => {
    for (const name of await listDatabases(serverUrl, template)) await drop(serverUrl, name)
    await server.stop()
  }
  try {
    await runOnServer(serverUrl, `create database ${template}`)
    const open = await openDatabase({ kind: 'postgres', url: databaseUrl(serverUrl, template) })
    await open.close()
    return { serverUrl, template, clean }
  } catch (error) {
    await clean()
    throw error
  }
}

/** A database with tables and no rows, until it is dropped. */
export async function copyTemplate({
  serverUrl,
  template,
}: PostgresTemplate): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await runOnServer(serverUrl, `create database ${name} template ${template}`)
  return { url: databaseUrl(serverUrl, name), drop: () => drop(serverUrl, name) }
}

async function drop(serverUrl: string, name: string): Promise<void> {
  await runOnServer(serverUrl, `drop database ${name} with (force)`)
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement outside of any transaction, as creating and dropping a database requires. */
export async function runOnServer(
  serverUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await client.query<Record<string, unknown>>(statement, [...values])
  } finally {
    await client.end()
  }
}

/** The names of the server's databases with this prefix. */
async function listDatabases(serverUrl: string, beginning: string): Promise<string[]> {
  const statement = 'select datname from pg_database where starts_with(datname, $1)'
  const { rows } = await runOnServer(serverUrl, statement, [beginning])
  return rows.map(({ datname }) => String(datname))
}
