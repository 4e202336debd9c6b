import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { answerByCallback } from './answer-by-callback.ts'
import { DatabaseUnusable } from './database-unusable.ts'
import { lockFolder } from './folder-lock.ts'
import { type ChannelListener, listenToPostgres } from './listen-to-postgres.ts'
import { migrate, type SqlRunner } from './migrate.ts'
import { provideDataFolder, providePrivateFolder, restrictContents } from './private-folder.ts'
import type { Database, Tables } from '#server/database/tables/tables.ts'

export type DatabaseConfig =
  | {
      kind: 'embedded'
      /** Where the data is kept; null keeps it in memory, for tests. */
      folder: string | null
      /** A dump of a data folder to start from, for tests. */
      snapshot?: Blob
    }
  | { kind: 'postgres'; url: string }

export type OpenDatabase = SqlRunner & {
  kind: DatabaseConfig['kind']
  database: Database
  /** Listens to a channel until the returned function is called. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  close(): Promise<void>
}

/**
 * Opens the database and brings its tables up to date. Throws {@link DatabaseUnusable} if the
 * folder belongs to another process, the server does not answer or its user lacks a right.
 */
export async function openDatabase(config: DatabaseConfig): Promise<OpenDatabase> {
  const open = await (config.kind === 'embedded' ? openEmbedded(config) : openPostgres(config.url))
  try {
    await migrate(open)
  } catch (error) {
    await open.close()
    throw error
  }
  return open
}

const INT8 = 20
const NUMERIC = 1700

/** Only whole numbers are stored, so both wide types are read exactly, as integers. */
const wideParsers = { [INT8]: BigInt, [NUMERIC]: BigInt }

/**
 * PostgreSQL's own choice of 128 MB is taken from the system whole at each start, which costs as
 * much memory and half a second.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

async function openEmbedded(
  config: Extract<DatabaseConfig, { kind: 'embedded' }>,
): Promise<OpenDatabase> {
  const folder = config.folder === null ? null : resolve(config.folder)
  if (folder !== null) await provideDataFolder(dirname(folder))
  const lock = folder === null ? null : await lockFolder(folder)
  try {
    if (folder !== null) await providePrivateFolder(folder)
    const pglite = await PGlite.create({
      ...(folder === null ? {} : { dataDir: folder }),
      ...(config.snapshot === undefined ? {} : { loadDataDir: config.snapshot }),
      startParams,
      parsers: wideParsers,
    })
    // A new database is unpacked with permissions for everybody, whatever the process's umask.
    if (folder !== null) await restrictContents(folder)
    const database: Database = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
    return {
      kind: 'embedded',
      database,
      runScript: async (text) => {
        await pglite.transaction((transaction) => transaction.exec(text))
      },
      runNamed: async <Row>(_name: string, text: string, values: readonly unknown[]) => {
        const { rows } = await pglite.query<Row>(text, [...values])
        return rows
      },
      listen: (channel, { onPayload }) => pglite.listen(channel, onPayload),
      close: async () => {
        await database.destroy()
        if (!pglite.closed) await pglite.close()
        await lock?.release()
      },
    }
  } catch (cause) {
    await lock?.release()
    if (cause instanceof DatabaseUnusable || folder === null) throw cause
    if (isDiskFull(cause)) {
      const sentence = `There is no room for the embedded database in ${folder}. Make room and start again`
      throw new DatabaseUnusable(sentence, { cause })
    }
    throw new DatabaseUnusable(
      `The embedded database in ${folder} could not be opened (${sentenceOf(cause)}). If the ` +
        'folder was copied or damaged, restore it from a backup or choose another DATA_DIR',
      { cause },
    )
  }
}

/** ENOSPC, as WebAssembly numbers it (WASI). */
const NO_SPACE = 51

function isDiskFull(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'errno' in cause && cause.errno === NO_SPACE
}

const CONNECTIONS_MAX = 10
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A little more than the server's own limit, so that the server's error comes first. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000
/**
 * Between two statements of a transaction there is only a little calculation. A client that takes
 * longer was suspended or has lost the network, and its locks are released before buyers give up.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3_000

const wideTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return BigInt
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const connectionString = withSettings(url)
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'token-presale',
    types: wideTypes,
  })
  // An idle connection that breaks is replaced at the next query, which reports any fault.
  pool.on('error', () => {})
  // The pool handles errors of idle connections only. One that breaks between two statements of a
  // transaction would end the process, and the next statement reports it anyway.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    answerByCallback(client, ANSWER_TIMEOUT_MS)
  })
  await refuseUnusable(pool, url)
  const database: Database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    kind: 'postgres',
    database,
    runScript: async (text) => {
      const client = new pg.Client({
        connectionString,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        application_name: 'token-presale',
      })
      client.on('error', () => {})
      await client.connect()
      try {
        // Changing a large table may take longer than the pool, or its user's settings, allow.
        await client.query('set statement_timeout = 0; set lock_timeout = 0')
        // Several statements in one message form one transaction.
        await client.query(text)
      } finally {
        await client.end()
      }
    },
    runNamed: async <Row>(name: string, text: string, values: readonly unknown[]) => {
      const { rows } = await pool.query({ name, text, values: [...values] })
      return rows as Row[]
    },
    listen: (channel, listener) => listenToPostgres(connectionString, channel, listener),
    close: async () => {
      await database.destroy()
      // Kysely ends only a pool that it has used.
      if (!pool.ended) await pool.end()
    },
  }
}

/**
 * What every connection asks for, whatever the server, its database or its user have as a default.
 * Most packages of PostgreSQL compile a statement just in time wherever they expect much work,
 * which takes longer than the work: a batch of purchases, 124 ms instead of 3.
 */
const connectionSettings = String.raw`-c jit=off -c datestyle=ISO -c timezone=UTC -c default_transaction_isolation=read\ committed`

/** The address with {@link connectionSettings}; what else it asks for stays. */
function withSettings(url: string): string {
  const address = new URL(url)
  const own = address.searchParams.get('options') ?? ''
  address.searchParams.set('options', `${own} ${connectionSettings}`.trim())
  return address.href
}

async function refuseUnusable(pool: pg.Pool, url: string): Promise<void> {
  const facts = `
    select source, current_setting('server_encoding') as encoding
    from pg_settings where name = 'idle_in_transaction_session_timeout'`
  try {
    const { rows } = await pool.query<{ source: string; encoding: string }>(facts)
    // What this connection has asked for itself counts, and not a default.
    if (rows[0]?.source !== 'client') throw new DatabaseUnusable(poolerMessage(url))
    const { encoding } = rows[0]
    if (encoding !== 'UTF8') throw new DatabaseUnusable(encodingMessage(url, encoding))
  } catch (cause) {
    await pool.end()
    if (cause instanceof DatabaseUnusable) throw cause
    if (isPooler(cause)) throw new DatabaseUnusable(poolerMessage(url), { cause })
    if (isRefused(cause)) throw new DatabaseUnusable(connectMessage(url, cause), { cause })
    if (isWrongLogin(cause)) {
      throw new DatabaseUnusable(
        `PostgreSQL at ${placeOf(url)} refuses the connection (${sentenceOf(cause)}). Check the user, ` +
          'the password and the database in DATABASE_URL',
        { cause },
      )
    }
    throw new DatabaseUnusable(
      `The database at ${placeOf(url)} does not answer (${sentenceOf(cause)}). Check that it ` +
        'is running and that DATABASE_URL names it',
      { cause },
    )
  }
}

/** Insufficient privilege: the server runs, and knows the user. */
function isRefused(cause: unknown): cause is Error {
  return cause instanceof Error && 'code' in cause && cause.code === '42501'
}

/** A wrong user or password, or a database that does not exist. */
function isWrongLogin(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '3D000' || /^28.{3}$/.test(code)
}

/** A protocol violation: poolers refuse what they do not pass on with it. */
function isPooler(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '08P01'
}

function poolerMessage(url: string): string {
  return (
    `What answers at ${placeOf(url)} does not pass on the time limits of a connection to PostgreSQL. ` +
    'It may be a connection pooler, such as PgBouncer, through which notifications do not come ' +
    'either. Give DATABASE_URL the address of PostgreSQL itself'
  )
}

function encodingMessage(url: string, encoding: string): string {
  return (
    `The database at ${placeOf(url)} has the encoding ${encoding}, which cannot hold every name of a ` +
    'buyer. Give DATABASE_URL one whose encoding is UTF8: createdb makes it with --encoding=UTF8 ' +
    '--template=template0'
  )
}

function connectMessage(url: string, { message }: Error): string {
  const { pathname, username } = new URL(url)
  const quoted = (name: string) => `"${decodeURIComponent(name).replaceAll('"', '""')}"`
  const user = quoted(username)
  return (
    `The user ${user} of DATABASE_URL may not connect to the database (${message}). Run this as ` +
    'its owner or as a superuser, and start again: ' +
    `GRANT CONNECT ON DATABASE ${quoted(pathname.slice(1))} TO ${user};`
  )
}

/** The host and database of a URL, without the password. */
function placeOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return host === '' ? 'DATABASE_URL' : host + pathname
}

function sentenceOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(sentenceOf).join('; ')
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
