import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { type OpenDatabase, openDatabase } from '#server/database/connection/open-database.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import {
  IPN_SECRET,
  NOWPAYMENTS_KEY,
  type NowpaymentsServer,
  startNowpayments,
} from '#tests/kit/servers/nowpayments-server.ts'
import { FEED_HOSTS, startPriceFeeds } from '#tests/kit/servers/price-feed-servers.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'
import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { type SmtpServer, startSmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { type OwnPostgresServer, startPostgres } from '#tools/testing/start-postgres.ts'
import { type Caller, createCaller } from './caller.ts'

export type RunningServer = ServerProcess & { address: string; startedAt: number }

/** Everything around a server: its database, its sale, its callers, and the servers it talks to. */
export type Ground = {
  users: readonly SeededUser[]
  caller: Caller
  smtp: SmtpServer
  /** Null if payments are simulated. */
  gateway: NowpaymentsServer | null
  feeds: PriceFeeds | null
  /** Null for the embedded database. */
  postgres: OwnPostgresServer | null
  folder: string
  /** Starts a server without waiting until it is open. */
  start(environment?: Record<string, string>): Promise<RunningServer>
  /** The database itself; the embedded one only while no server runs. */
  open(): Promise<OpenDatabase>
  close(): Promise<void>
}

export type GroundOptions = {
  database: 'embedded' | 'postgres'
  users: number
  /** How payments come: real ones need PostgreSQL. */
  payments?: 'sandbox' | 'gateway'
  /** PostgreSQL's own names. */
  settings?: Record<string, string>
  /** A sale other than the one that never sells out. */
  saleFile?: string
  /** Where the embedded database is kept, if not in a folder of its own. */
  dataFolder?: string
  /** Where PostgreSQL keeps its tables, if not beside its log. */
  tablespace?: string
}

type PriceFeeds = Awaited<ReturnType<typeof startPriceFeeds>>

const UNPAID = 'expire_after_minutes: 60, open_per_user: 1000'

/** A sale that sells more than any proof buys. */
export function endlessSale(payments: 'sandbox' | 'gateway' = 'sandbox'): string {
  const file = SMALL_SALE_FILE.replace('1000\n', '1000000000\n')
  const rules = `purchases: { ${UNPAID} }\n`
  if (payments === 'sandbox') return rules + file
  return rules + file.replace('{ sandbox: eth }', '{ nowpayments: eth }')
}

/** Where the servers that play the feeds are, by the hosts that are asked. */
function routesTo(feeds: PriceFeeds): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FEED_HOSTS).map(([host, name]) => [host, feeds.serverOf(name).url]),
  )
}

/** What `node --import` loads into a server before it starts, beside what reroutes its requests. */
export function preloads(...names: string[]): { NODE_OPTIONS: string } {
  const urls = [
    import.meta.resolve('#tests/kit/servers/reroute.ts'),
    ...names.map((name) => pathToFileURL(join(import.meta.dirname, 'in-server', name)).href),
  ]
  return { NODE_OPTIONS: urls.map((url) => `--import ${url}`).join(' ') }
}

export async function prepareGround(options: GroundOptions): Promise<Ground> {
  const { database, payments = 'sandbox', settings = {}, users: count } = options
  const folder = mkdtempSync(join(tmpdir(), 'presale-prove-'))
  const dataFolder = options.dataFolder ?? join(folder, 'data')
  const saleFile = join(folder, 'sale.yaml')
  writeFileSync(saleFile, options.saleFile ?? endlessSale(payments))
  const postgres = database === 'postgres' ? await startPostgres(settings) : null
  const url = postgres === null ? '' : await provideDatabase(postgres.url, options.tablespace)
  const smtp = await startSmtpServer()
  const gateway = payments === 'gateway' ? await startNowpayments() : null
  const feeds = payments === 'gateway' ? await startPriceFeeds(createTestClock()) : null
  const routes = feeds === null ? {} : routesTo(feeds)
  const caller = createCaller()
  const servers: RunningServer[] = []

  const open = () =>
    openDatabase(
      postgres === null
        ? { kind: 'embedded', folder: join(dataFolder, 'database') }
        : { kind: 'postgres', url },
    )
  if (postgres === null) await unpackDatabase(join(dataFolder, 'database'))
  const seeding = await open()
  const users = await manyUsers(seeding.database, count)
  await seeding.close()

  return {
    users,
    caller,
    smtp,
    gateway,
    feeds,
    postgres,
    folder,
    open,
    async start(environment = {}) {
      const startedAt = performance.now()
      const server = await startServerOnFreePort({
        SALE_FILE: saleFile,
        SECRET_KEY: 'a secret key for proofs, and for nothing else',
        SMTP_URL: smtp.url,
        LOG_LEVEL: 'warn',
        // Callers state where they call from, since one network is limited.
        TRUSTED_PROXIES: '1',
        REROUTED_HOSTS: JSON.stringify(routes),
        ...preloads(),
        ...(postgres === null ? { DATA_DIR: dataFolder } : { DATABASE_URL: url }),
        ...(gateway !== null && {
          NOWPAYMENTS_URL: gateway.url,
          NOWPAYMENTS_GRACE_SECONDS: '0',
          NOWPAYMENTS_API_KEY: NOWPAYMENTS_KEY,
          NOWPAYMENTS_IPN_SECRET: IPN_SECRET,
        }),
        ...environment,
      })
      const running = { ...server, startedAt, address: `http://127.0.0.1:${server.port}` }
      servers.push(running)
      return running
    },
    async close() {
      caller.close()
      for (const server of servers) {
        if (!hasEnded(server)) server.process.kill('SIGKILL')
        await server.ended
      }
      await smtp.close()
      await gateway?.stop()
      await feeds?.stop()
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function provideDatabase(serverUrl: string, tablespace: string | undefined) {
  if (tablespace === undefined) return serverUrl
  const { rows } = await runOnServer(serverUrl, 'show data_directory')
  const { uid, gid } = statSync(String(rows[0]?.['data_directory']))
  chownSync(tablespace, uid, gid)
  await runOnServer(serverUrl, `create tablespace small location '${tablespace}'`)
  await runOnServer(serverUrl, 'create database presale tablespace small')
  return databaseUrl(serverUrl, 'presale')
}

export function hasEnded({ process }: Pick<ServerProcess, 'process'>): boolean {
  return process.exitCode !== null || process.signalCode !== null
}

/** A network of each user's own. */
export function addressOf(index: number): string {
  return `10.${(index >> 8) & 255}.${index & 255}.1`
}
