/**
 * Buyers who do nothing but make purchases, each on a connection of its own that stays open. They
 * speak HTTP over a bare socket and share a process apart from the server's, so that as little as
 * possible of the machine goes into asking.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { API_BASE } from '#contract/endpoint.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { quantile } from '../quantile.ts'
import { type BareConnection, openConnection } from './bare-connection.ts'
import { runApart, workApart } from './run-apart.ts'

export type BuyersTask = {
  port: number
  buyers: number
  seconds: number
  /**
   * How many come in a second, all together, whether or not those before them were answered; null
   * where each asks again as soon as it is answered.
   */
  perSecond: number | null
  /** The access token of account number `n` is this with `n` behind it. */
  tokenPrefix: string
  firstAccount: number
  purchasesPerAccount: number
}

export type BuyersReport = {
  purchases: number
  /** From the first call to the last answer. */
  seconds: number
  /** Accounts that were used, from the first one on. */
  accounts: number
  /** From the moment at which a buyer came. */
  latenciesMs: { p50: number; p99: number }
  /** How often the server was busy: its price moved on faster than it could take the purchase. */
  askedToRetry: number
  /** The first other reply that was no purchase, if any was. */
  failure: string | null
}

/** As the server says with it. */
const RETRY_AFTER_MS = 1_000
const path = API_BASE + transactionsContract.createTransaction.path
const body = JSON.stringify({ purchase_amount: 10, purchase_token_id: 'eth' })

if (import.meta.main) await workApart(buyAll)

/** Lets them buy in a process of their own. Rejects where a purchase failed. */
export async function runBuyers(task: BuyersTask): Promise<BuyersReport> {
  const { report: reported } = runApart<BuyersReport>(import.meta.url, task)
  const report = await reported
  if (report.failure !== null) throw new Error(`A purchase failed: ${report.failure}`)
  return report
}

async function buyAll(task: BuyersTask): Promise<BuyersReport> {
  const latencies: number[] = []
  let nextAccount = task.firstAccount
  let failure: string | null = null
  let askedToRetry = 0
  const connections = await Promise.all(
    Array.from({ length: task.buyers }, () => openConnection(task.port)),
  )
  const startedAt = performance.now()
  const endsAt = startedAt + task.seconds * 1_000
  let comers = 0
  const nextArrival = async (): Promise<number> => {
    if (task.perSecond === null) return performance.now()
    const at = startedAt + (comers++ / task.perSecond) * 1_000
    const ms = at - performance.now()
    if (ms > 0) await delay(ms)
    return at
  }
  const buy = async (connection: BareConnection): Promise<void> => {
    for (let account = nextAccount++; ; account = nextAccount++) {
      for (let made = 0; made < task.purchasesPerAccount; made += 1) {
        const arrivedAt = await nextArrival()
        if (arrivedAt >= endsAt || failure !== null) return connection.close()
        const buyOnce = () => connection.ask(questionOf(task, account))
        let reply = await buyOnce()
        while (reply.startsWith('HTTP/1.1 503 ') && performance.now() < endsAt) {
          askedToRetry += 1
          await delay(RETRY_AFTER_MS)
          reply = await buyOnce()
        }
        // Whoever was told to come again when the round was over has bought nothing.
        if (reply.startsWith('HTTP/1.1 503 ')) return connection.close()
        if (!reply.startsWith('HTTP/1.1 201 ')) failure ??= reply
        latencies.push(performance.now() - arrivedAt)
      }
    }
  }
  await Promise.all(connections.map(buy))
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    purchases: latencies.length,
    seconds,
    accounts: nextAccount - task.firstAccount,
    latenciesMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    askedToRetry,
    failure,
  }
}

/** In a network of the account's own, since what one network may reserve is bounded. */
function addressOf(account: number): string {
  return `10.${(account >> 8) & 255}.${account & 255}.1`
}

function questionOf({ port, tokenPrefix }: BuyersTask, account: number): string {
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n` +
    `x-forwarded-for: ${addressOf(account)}\r\n` +
    `authorization: Bearer ${tokenPrefix}${account}\r\nidempotency-key: ${randomUUID()}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}
