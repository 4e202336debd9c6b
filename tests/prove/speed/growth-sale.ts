import pg from 'pg'

import { startCounting } from '../machine.ts'
import type { Somebody } from './growth-calls.ts'
import { type Growth, growDatabase } from './grow.ts'
import { accountsSql } from './speed-server.ts'
import { auditBooks } from '#server/database/books/audit-books.ts'
import { saveAudit } from '#server/database/books/audits.ts'
import { checkInvariants, type InvariantReport } from '#server/database/books/check-books.ts'
import { type OpenDatabase, openDatabase } from '#server/database/connection/open-database.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'

export const BUYER_PREFIX = 'growth-buyer-'
const PEOPLE_MAX = 2_000
/** As the product gives each check. */
const CHECK_TIMEOUT_MS = 9_000

export type RunningServer = ServerProcess & {
  port: number
  pid: number
  startMs: number
  wasQuiet: boolean
}

/** A sale in a database of its own, with what so many users have left there. */
export type GrownSale = {
  name: string
  growth: Growth
  open: OpenDatabase
  client: pg.Client
  people: readonly Somebody[]
  start(): Promise<RunningServer>
}

export async function makeSale(
  name: string,
  options: {
    serverUrl: string
    secretKey: string
    users: number
    buyers: number
    seed: number
    say(line: string): void
  },
): Promise<GrownSale> {
  const { serverUrl, secretKey, users, buyers, seed, say } = options
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = name
  const start = async () => {
    const count = startCounting()
    const startedAt = performance.now()
    const server = await startServerOnFreePort({
      DATABASE_URL: url.href,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: '1',
    })
    await server.opened
    const pid = server.process.pid ?? 0
    return { ...server, pid, startMs: performance.now() - startedAt, wasQuiet: count().wasQuiet }
  }
  // The first start makes the tables and applies the sale.
  await (await start()).stop()
  const client = new pg.Client(url.href)
  // A connection that ends with its server fails at its next query.
  client.on('error', () => {})
  await client.connect()
  const startedAt = performance.now()
  const growth = await growDatabase(client, { users, seed, say })
  await client.query(accountsSql('buyer', BUYER_PREFIX, 1, buyers))
  say(`${name} was made in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  const { rows: people } = await client.query<Somebody>(
    `select distinct on (users.id) users.id, purchases.id as "purchaseId", purchases.address,
      substring(email from 'user-(\\d+)@')::integer as number
    from (select * from users where email like 'user-%' order by id limit ${PEOPLE_MAX}) as users
    join sessions on sessions.user_id = users.id
    join purchases on purchases.user_id = users.id
    order by users.id`,
  )
  const open = await openDatabase({ kind: 'postgres', url: url.href })
  return { name, growth, open, client, people, start }
}

export async function closeSale({ open, client }: GrownSale): Promise<void> {
  await open.close()
  await client.end()
}

export type CheckedBooks = { report: InvariantReport; ms: number }

export async function checkNow({ open }: GrownSale): Promise<CheckedBooks> {
  const startedAt = performance.now()
  const report = await checkInvariants(open.database, CHECK_TIMEOUT_MS)
  return { report, ms: performance.now() - startedAt }
}

/** Looks at everything; kept as the audit of today, so that no server makes another meanwhile. */
export async function auditNow({
  open,
}: GrownSale): Promise<{ pages: number; notRun: number; ms: number }> {
  const startedAt = performance.now()
  let [pages, notRun] = [0, 0]
  for await (const faults of auditBooks(open.database, CHECK_TIMEOUT_MS)) {
    pages += 1
    notRun += faults.length
  }
  const ms = performance.now() - startedAt
  await saveAudit(open.database, { endedAt: new Date(), durationMs: Math.round(ms), notRun: [] })
  return { pages, notRun, ms }
}
