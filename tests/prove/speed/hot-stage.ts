import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

import { API_BASE } from '#contract/endpoint.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { startSmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { startPostgres } from '#tools/testing/start-postgres.ts'
import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { startCounting } from '../machine.ts'
import { type BuyersReport, type BuyersTask, runBuyers } from './buyers.ts'
import { type PgbenchTask, runPgbench } from './pgbench.ts'
import { accountsSql } from './speed-server.ts'

const ACCOUNTS = 60_000
/** Accounts for pgbench alone, so that none reaches the limit of unpaid purchases. */
const PGBENCH_ACCOUNTS = 20_000
/** As many unpaid purchases as the shipped sale lets a user have. */
const PURCHASES_PER_ACCOUNT = 10
const TOKEN_PREFIX = 'prove-account-'
const PAY_EVERY_MS = 500
const PAID_AT_ONCE = 250
/** A payment is confirmed by its second block. */
const BLOCKS_MIN = 4

/** What one round took of the machine. */
type Use = { serverUs: number; postgresUs: number; wasQuiet: boolean; othersShare: number }
export type BuyersRound = BuyersReport & Use
export type PgbenchRound = { perSecond: number } & Use
export type PaidRound = BuyersRound & { completed: number; mailsSent: number }
export type HotStage = Awaited<ReturnType<typeof openHotStage>>

/**
 * The shipped sale on a PostgreSQL of its own with full durability, its first stage open, and
 * logged-in accounts to buy on it. No mail leaves the server, so that neither side of a comparison
 * spends its round on the mails of the other, except in a round that is about them.
 */
export async function openHotStage() {
  const folder = mkdtempSync(join(tmpdir(), 'presale-purchases-'))
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true })]
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const settings = {
      // A checkpoint would fall into one round and not into the others.
      checkpoint_timeout: '1h',
      max_wal_size: '8GB',
      // What `reuseLog` keeps.
      min_wal_size: '8GB',
      max_connections: '300',
    }
    const postgres = await startPostgres(settings)
    closers.push(() => postgres.stop())
    const smtp = await startSmtpServer()
    closers.push(() => smtp.close())
    smtp.behaviour = 'hold'
    const server = await startServerOnFreePort({
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      SMTP_URL: smtp.url,
      LOG_LEVEL: 'error',
      // The buyers set their addresses.
      TRUSTED_PROXIES: '1',
    })
    closers.push(() => server.stop())
    await server.opened
    const client = new pg.Client(postgres.url)
    await client.connect()
    closers.push(() => client.end())
    await client.query(SEED)

    let firstAccount = 0
    const measure = async <Done>(work: () => Promise<Done>): Promise<Done & Use> => {
      const stopCounting = startCounting()
      const done = await work()
      const { used, wasQuiet, othersShare } = stopCounting()
      const serverUs = used(server.process.pid ?? 0)
      return { ...done, serverUs, postgresUs: used(postgres.pid), wasQuiet, othersShare }
    }
    const letBuy = async (asked: BuyersAsked) => {
      const task = { ...asked, port: server.port, tokenPrefix: TOKEN_PREFIX, firstAccount }
      const report = await runBuyers({ ...task, purchasesPerAccount: PURCHASES_PER_ACCOUNT })
      firstAccount += report.accounts
      if (firstAccount > ACCOUNTS) throw new Error('There are too few accounts for so many rounds.')
      return report
    }
    return {
      close,
      /**
       * Lets PostgreSQL write into the files of its log again that it has made so far, as one that
       * has run for some days does. A purchase that comes upon a new one waits until its 16 MiB are
       * written, ten times as long as for anything else.
       */
      reuseLog: async () => {
        await client.query('checkpoint')
      },
      buy: async (asked: BuyersAsked): Promise<BuyersRound> => {
        const round = await measure(() => letBuy(asked))
        if (round.askedToRetry > 0)
          throw new Error('Buyers were told to try again at a fixed price.')
        return round
      },
      /** Purchases that are paid meanwhile, with every mail that follows. */
      buyAndPay: async (asked: BuyersAsked): Promise<PaidRound> => {
        await client.query('update outbox_mails set dropped_at = now() where sent_at is null')
        const since = await readNow(client)
        smtp.behaviour = 'take'
        smtp.letGo()
        const mailsBefore = smtp.taken.length
        const round = await measure(async () => {
          const stopping = new AbortController()
          const paying = payAndMine(client, server.port, stopping.signal)
          const report = await letBuy(asked).finally(() => stopping.abort())
          await paying
          return report
        })
        smtp.behaviour = 'hold'
        const completed = await countCompleted(client, since)
        return { ...round, completed, mailsSent: smtp.taken.length - mailsBefore }
      },
      pgbench: (
        program: string,
        asked: Pick<PgbenchTask, 'way' | 'clients' | 'seconds'>,
      ): Promise<PgbenchRound> =>
        measure(async () => {
          const accounts = { from: ACCOUNTS + 1, to: ACCOUNTS + PGBENCH_ACCOUNTS }
          const task = { ...asked, databaseUrl: postgres.url, accounts, folder }
          return { perSecond: await runPgbench(program, task) }
        }),
    }
  } catch (fault) {
    await close()
    throw fault
  }
}

type BuyersAsked = Pick<BuyersTask, 'buyers' | 'seconds' | 'perSecond'>

/** Accounts that buy, and those of pgbench, which need no session. */
const SEED = `
  ${accountsSql('buyer', TOKEN_PREFIX, 0, ACCOUNTS - 1)};
  insert into users (id, email, password_hash, first_name, last_name, nationality, created_at)
  select gen_random_uuid(), 'buyer-' || n || '@example.com', '', 'A', 'Buyer', 'GB', now()
  from generate_series(${ACCOUNTS + 1}, ${ACCOUNTS + PGBENCH_ACCOUNTS}) as n;
  analyze users, sessions`

/**
 * Pays purchases, as their buyers do, and mines, until it is told to stop and enough blocks were
 * mined to confirm the first payments.
 */
async function payAndMine(client: pg.Client, port: number, signal: AbortSignal): Promise<void> {
  const { method, path } = sandboxContract.mineBlocks
  for (let blocks = 0; blocks < BLOCKS_MIN || !signal.aborted; blocks += 1) {
    await client.query(PAY)
    const mined = await fetch(`http://127.0.0.1:${port}${API_BASE}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ count: 1 }),
    })
    if (!mined.ok) throw new Error(`No block was mined: ${await mined.text()}`)
    await delay(PAY_EVERY_MS)
  }
}

/** Some that are not paid; pgbench's have their ids as keys, and no buyer. */
const PAY = `
  with tip as (
    update sandbox_chain set revision = revision + 1 returning revision
  )
  insert into sandbox_transfers (
    transaction_hash, address, payment_token_id, amount, sent_at, revision
  )
  select 'prove-' || id, address, payment_token_id, crypto_due, now(), revision
  from (
    select * from purchases
    where status = 'pending' and idempotency_key <> id::text
      and not exists (
        select from sandbox_transfers where transaction_hash = 'prove-' || purchases.id
      )
    limit ${PAID_AT_ONCE}
  ) as unpaid, tip`

async function readNow(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>('select now()::text as now')
  return rows[0]?.now ?? ''
}

async function countCompleted(client: pg.Client, since: string): Promise<number> {
  const { rows } = await client.query<{ completed: number }>(
    `select count(*)::integer as completed from purchases
    where status = 'completed' and completed_at > $1`,
    [since],
  )
  return rows[0]?.completed ?? 0
}
