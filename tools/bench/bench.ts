/**
 * `npm run bench`: how many purchases a second the server makes, through HTTP, on one hot stage of
 * a real PostgreSQL with full durability, beside pgbench leaving the same rows on the same server
 * in the same run. Absolute figures belong to a machine and a moment; the ratio says how good it
 * is.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { BuyersReport, BuyersTask } from './bench-buyers.ts'
import { findPgbench, type PgbenchReport, runPgbench } from './bench-pgbench.ts'
import { startPostgres } from '#tools/testing/start-postgres.ts'
import { startServer } from '#tools/testing/start-server.ts'

const BUYERS = 16
const ROUNDS = 3
const ROUND_SECONDS = 5
const WARM_UP_SECONDS = 10
const ACCOUNTS = 40_000
/** Accounts for pgbench alone, so that none reaches the limit of unpaid purchases. */
const PGBENCH_ACCOUNTS = 10_000
/** As many unpaid purchases as the shipped sale lets a user have. */
const PURCHASES_PER_ACCOUNT = 10
const TOKEN_PREFIX = 'bench-account-'
const RATIO_TARGET = 1
const P99_TARGET_MS = 50

const folder = mkdtempSync(join(tmpdir(), 'presale-bench-'))
const closers: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true })]
try {
  await bench()
} finally {
  for (const close of closers.toReversed()) await close()
}

async function bench(): Promise<void> {
  say('Starting PostgreSQL and the server …')
  const databaseUrl = await provideDatabase()
  const server = await startServer({
    ...process.env,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'warn',
    // The buyers set their addresses.
    TRUSTED_PROXIES: '1',
  })
  closers.push(server.stop)
  await seedAccounts(databaseUrl)
  const pgbench = findPgbench()
  let firstAccount = 0
  const buy = async (seconds: number): Promise<BuyersReport> => {
    const report = await runBuyers({
      port: server.port,
      buyers: BUYERS,
      seconds,
      tokenPrefix: TOKEN_PREFIX,
      firstAccount,
      purchasesPerAccount: PURCHASES_PER_ACCOUNT,
    })
    firstAccount += report.accounts
    if (report.failure !== null) throw new Error(`A purchase failed: ${report.failure}`)
    return report
  }
  const yardstick = async (seconds: number): Promise<PgbenchReport | null> =>
    pgbench === null
      ? null
      : await runPgbench(pgbench, {
          databaseUrl,
          clients: BUYERS,
          seconds,
          accounts: { from: ACCOUNTS + 1, to: ACCOUNTS + PGBENCH_ACCOUNTS },
          folder,
        })

  await buy(WARM_UP_SECONDS)
  await dropMails(databaseUrl)
  await yardstick(WARM_UP_SECONDS)
  say(`${BUYERS} buyers on one stage, ${ROUNDS} rounds of ${ROUND_SECONDS} s, in turns:`)
  const rounds: { ours: BuyersReport; theirs: PgbenchReport | null }[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    await dropMails(databaseUrl)
    const ours = await buy(ROUND_SECONDS)
    await dropMails(databaseUrl)
    const theirs = await yardstick(ROUND_SECONDS)
    rounds.push({ ours, theirs })
    sayRound(round, ours, theirs)
  }
  printResult(rounds)
}

function perSecond({ purchases }: BuyersReport): number {
  return purchases / ROUND_SECONDS
}

function sayRound(round: number, ours: BuyersReport, theirs: PgbenchReport | null): void {
  const { p50, p99 } = ours.latenciesMs
  const latencies = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`
  const server = `server ${perSecond(ours).toFixed(0)}/s (${latencies})`
  const other =
    theirs === null
      ? ''
      : `, pgbench ${theirs.purchasesPerSecond.toFixed(0)}/s (mean ${theirs.meanMs.toFixed(1)} ms)`
  say(`  ${round}: ${server}${other}`)
}

function printResult(rounds: { ours: BuyersReport; theirs: PgbenchReport | null }[]): void {
  const p99 = Math.max(...rounds.map(({ ours }) => ours.latenciesMs.p99))
  say(`Slowest p99: ${p99.toFixed(1)} ms (wanted: under ${P99_TARGET_MS} ms)`)
  const ratios = rounds.flatMap(({ ours, theirs }) =>
    theirs === null ? [] : [perSecond(ours) / theirs.purchasesPerSecond],
  )
  if (ratios.length === 0) {
    say('There is no pgbench here to compare with: install it (Debian: postgresql-client, which')
    say('brings it as /usr/bin/pgbench) and run this again.')
    return
  }
  const median = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 0
  say(
    `Ratio to pgbench, median: ${median.toFixed(2)} (wanted: at least ${RATIO_TARGET.toFixed(1)})`,
  )
}

/** A database of its own, on `TEST_DATABASE_URL` or on a server that is started for it. */
async function provideDatabase(): Promise<string> {
  let serverUrl = process.env['TEST_DATABASE_URL']
  if (serverUrl === undefined || serverUrl === '') {
    const server = await startPostgres({ synchronous_commit: 'on' })
    closers.push(() => server.stop())
    serverUrl = server.url
  }
  const name = `presale_bench_${randomBytes(4).toString('hex')}`
  await runSql(serverUrl, `create database ${name}`)
  closers.push(() => runSql(serverUrl, `drop database ${name} with (force)`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Neither side should spend its round on sending the mails of the other. */
async function dropMails(databaseUrl: string): Promise<void> {
  await runSql(databaseUrl, 'update outbox_mails set dropped_at = now() where sent_at is null')
}

/** Logged-in accounts, with access tokens that the buyers can compute. */
async function seedAccounts(databaseUrl: string): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into users (id, email, password_hash, first_name, last_name, nationality, created_at)
    select gen_random_uuid(), 'buyer-' || n || '@example.com', '', 'A', 'Buyer', 'GB', now()
    from generate_series(1, ${ACCOUNTS + PGBENCH_ACCOUNTS}) as n;
    insert into sessions (
      id, user_id, salt, access_token_hash, access_expires_at, refresh_token_hash,
      refresh_expires_at, started_at, last_used_at, user_agent
    )
    select gen_random_uuid(), users.id, '', sha256(convert_to('${TOKEN_PREFIX}' || n, 'UTF8')),
      now() + interval '1 day', sha256(convert_to('refresh-' || n, 'UTF8')),
      now() + interval '1 day', now(), now(), 'bench'
    from generate_series(0, ${ACCOUNTS - 1}) as n
    join users on users.email = 'buyer-' || (n + 1) || '@example.com';
    analyze users, sessions`,
  )
}

async function runBuyers(task: BuyersTask): Promise<BuyersReport> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('./bench-buyers.ts')), JSON.stringify(task)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((resolve) => {
    createInterface(child.stdout)
      .once('line', resolve)
      .once('close', () => resolve(''))
  })
  if (line === '') throw new Error('The buyers ended early. Their output is above')
  return JSON.parse(line) as BuyersReport
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
