import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

import { startPostgres } from '#tools/testing/start-postgres.ts'
import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'

const TOKEN_PREFIX = 'speed-account-'

/** The product in a process of its own, on a PostgreSQL database of its own, to be measured. */
export type SpeedServer = {
  port: number
  pid: number
  postgresPid: number
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** On a PostgreSQL that nobody else uses, with full durability. */
export async function startSpeedServer(
  environment: Record<string, string> = {},
): Promise<SpeedServer> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    const postgres = await startPostgres({ synchronous_commit: 'on', max_connections: '100' })
    closers.push(() => postgres.stop())
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
    // One that is being closed may still hear that the server ends, and nobody waits for it.
    pool.on('error', () => {})
    closers.push(() => pool.end())
    const { rows } = await pool.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    const pidFile = readFileSync(join(rows[0]?.folder ?? '', 'postmaster.pid'), 'utf8')
    const server = await startServerOnFreePort({
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
      // Callers set their addresses, so that no bound of one connection is measured.
      TRUSTED_PROXIES: '1',
      ...environment,
    })
    closers.push(() => server.stop())
    await server.opened
    return {
      port: server.port,
      pid: server.process.pid ?? 0,
      postgresPid: Number(pidFile.split('\n', 1)[0]),
      sql: async <Row>(text: string, values: unknown[] = []) =>
        (await pool.query(text, values)).rows as Row[],
      stop,
    }
  } catch (fault) {
    await stop()
    throw fault
  }
}

/** Users who are logged in, with the access tokens `accessTokenOf(0)` and on. Gives their ids. */
export async function addUsers(
  { sql }: SpeedServer,
  count: number,
  passwordHash = '',
): Promise<string[]> {
  await sql(accountsSql('user', TOKEN_PREFIX, 0, count - 1))
  await sql('update users set password_hash = $1, is_email_verified = true', [passwordHash])
  const users = await sql<{ id: string }>('select id from users order by length(email), email')
  return users.map(({ id }) => id)
}

export function accessTokenOf(user: number): string {
  return `${TOKEN_PREFIX}${user}`
}

/** Makes users of these numbers who are logged in, with their number behind the access token. */
export function accountsSql(name: string, tokenPrefix: string, from: number, to: number): string {
  return `
    insert into users (id, email, password_hash, first_name, last_name, nationality, created_at)
    select gen_random_uuid(), '${name}-' || n || '@example.com', '', 'A', 'User', 'GB', now()
    from generate_series(${from}, ${to}) as n;
    insert into sessions (
      id, user_id, salt, access_token_hash, access_expires_at, refresh_token_hash,
      refresh_expires_at, started_at, last_used_at, user_agent
    )
    select gen_random_uuid(), users.id, '', sha256(convert_to('${tokenPrefix}' || n, 'UTF8')),
      now() + interval '1 day', sha256(convert_to('refresh-${tokenPrefix}' || n, 'UTF8')),
      now() + interval '1 day', now(), now(), 'prove'
    from generate_series(${from}, ${to}) as n
    join users on users.email = '${name}-' || n || '@example.com'`
}
