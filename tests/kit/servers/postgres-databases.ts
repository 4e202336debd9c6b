import pg from 'pg'

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
export async function listDatabases(serverUrl: string, beginning: string): Promise<string[]> {
  const statement = 'select datname from pg_database where starts_with(datname, $1)'
  const { rows } = await runOnServer(serverUrl, statement, [beginning])
  return rows.map(({ datname }) => String(datname))
}
