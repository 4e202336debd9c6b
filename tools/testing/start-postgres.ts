import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'

export type PostgresServer = {
  /** `postgres://…` of the maintenance database, with the right to create others. */
  url: string
  stop: () => Promise<void>
}

/** A server that nobody else uses. */
export type OwnPostgresServer = PostgresServer & {
  /** The parent of all the server's processes. */
  pid: number
  /** Ends every connection and the server, and restarts it with its data on the same port. */
  restart: () => Promise<void>
  /** Kills the server without warning, and starts it again: it recovers from its log. */
  crash: () => Promise<void>
}

/** Data that is discarded after the run need not survive a power cut. */
export const unsafeButFast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/**
 * Starts a separate PostgreSQL server on a free port. `settings` are PostgreSQL's own names. The
 * server also stops when this process dies.
 * @param binaries The folder of its programs; those that npm installed if left out.
 */
export async function startPostgres(
  settings: Record<string, string>,
  binaries?: string,
): Promise<OwnPostgresServer> {
  const guardian = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'postgres-guardian.ts'),
      JSON.stringify(settings),
      ...(binaries === undefined ? [] : [binaries]),
    ],
    // Detached, so that Ctrl-C reaches only the tests, which then release the guardian.
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  )
  const exited = new Promise<void>((resolve) => guardian.once('exit', () => resolve()))
  const lines = createInterface(guardian.stdout)
  const nextLine = async () => {
    const line = new Promise<string>((resolve) => {
      lines.once('line', resolve).once('close', () => resolve('{"fault":"it is gone"}'))
    })
    return JSON.parse(await line) as { url?: string; fault?: string }
  }
  const { url, fault } = await nextLine()
  if (!url) {
    await exited
    throw new Error(
      `PostgreSQL could not be started (${fault ?? 'no reason given'}). Set TEST_DATABASE_URL to ` +
        'a PostgreSQL server on which databases may be created, and run the command again.',
    )
  }
  const order = async (word: 'restart' | 'crash') => {
    guardian.stdin.write(`${word}\n`)
    const answer = await nextLine()
    if (answer.fault) throw new Error(`PostgreSQL could not be started again (${answer.fault}).`)
  }
  return {
    url,
    pid: guardian.pid ?? 0,
    restart: () => order('restart'),
    crash: () => order('crash'),
    stop: async () => {
      guardian.stdin.end()
      await exited
    },
  }
}

/** The server that TEST_DATABASE_URL names, or else our own. */
export async function providePostgres(): Promise<PostgresServer> {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) return await startPostgres(unsafeButFast)
  await refuseUnusable(url)
  return { url, stop: async () => {} }
}

async function refuseUnusable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ may: boolean }>(
      'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
    )
    if (!rows[0]?.may) throw new Error('its user may not create databases')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The PostgreSQL server that TEST_DATABASE_URL names cannot be used (${reason}). Name another ` +
        'one, or unset the variable to let the tests start their own.',
      { cause },
    )
  } finally {
    await client.end()
  }
}
