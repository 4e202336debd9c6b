import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { API_BASE } from '#contract/endpoint.ts'
import { chartPeriods } from '#contract/sale.ts'
import { deriveOperatorToken } from '#server/config/secret-key.ts'
import { secret } from '#server/payments/variables.ts'
import { createChartReader } from '#server/runtime/chart-reader.ts'
import { startPostgres } from '#tools/testing/start-postgres.ts'
import { startCounting } from '../machine.ts'
import { countPrecisely } from './precise-cpu.ts'
import {
  bySize,
  type Finding,
  assess,
  neverMoreThan,
  type Proof,
  type ProofScope,
  type Size,
} from '../proof.ts'
import { median } from '../quantile.ts'
import { runBuyers } from './buyers.ts'
import { createAsker, exportCall, type MeasuredCall, measuredCalls } from './growth-calls.ts'
import {
  auditNow,
  BUYER_PREFIX,
  checkNow,
  closeSale,
  type GrownSale,
  makeSale,
  type RunningServer,
} from './growth-sale.ts'

const CALL_RATIO_MAX = 2
const PURCHASE_RATIO_MIN = 0.8
const START_WITHIN_MS = 5_000
const EXPORT_RSS_MAX = 256
const MINUTE_MS = 60_000
const MIB = 2 ** 20
/** Users of the sale that has only just begun. */
const FEW_USERS = 200
const BUYERS = 16
const BUYER_ACCOUNTS = 20_000
const PURCHASES_PER_ACCOUNT = 10
/** Of the rounds in which a call is asked of both, the cheapest counts. */
const ROUNDS: Record<Size, number> = { short: 2, whole: 4, long: 4 }

type Pair<Value> = { few: Value; many: Value }

/** What a sale costs that has grown, beside one that has only just begun, in turns in one run. */
export const growth: Proof = {
  name: 'growth',
  title: 'A sale that has grown is as fast as one that has just begun',
  kind: 'speed',
  run: proveGrowth,
}

async function proveGrowth(scope: ProofScope): Promise<Finding[]> {
  const users = bySize(scope, { short: 4_000, whole: 1_000_000, long: 1_000_000 })
  const postgres = await startPostgres({
    max_connections: '100',
    shared_buffers: bySize(scope, { short: '256MB', whole: '2GB', long: '2GB' }),
    max_wal_size: '8GB',
  })
  const sales: GrownSale[] = []
  try {
    const secretKey = randomBytes(32).toString('hex')
    const make = async (name: string, count: number) => {
      const sale = await makeSale(name, {
        serverUrl: postgres.url,
        secretKey,
        users: count,
        buyers: BUYER_ACCOUNTS,
        seed: scope.seed,
        say: scope.say,
      })
      sales.push(sale)
      return sale
    }
    const pair = { few: await make('few', FEW_USERS), many: await make('many', users) }
    scope.say(`${pair.many.growth.users} users, ${pair.many.growth.purchases} purchases`)
    const began = performance.now()
    const lap = (what: string) => scope.say(`${what} after ${seconds(performance.now() - began)}`)
    const books = await proveBooks(pair)
    lap('The books were checked')
    const charts = await proveCharts(pair)
    lap('The charts were read')
    const servers = { few: await pair.few.start(), many: await pair.many.start() }
    try {
      const operatorToken = deriveOperatorToken(secret(secretKey)).reveal()
      const postgresPid = await findPid(pair.few)
      // Before anything else has made the server larger.
      const exported = await proveExport(pair.many, servers.many, operatorToken)
      lap('The export was read')
      const calls = await proveCalls(scope, pair, servers, { operatorToken, postgresPid })
      lap('The calls were made')
      const purchases = await provePurchases(scope, servers, postgresPid)
      lap('The purchases were made')
      const fresh = await proveNewRows(pair.many)
      return [...books, proveStart(servers), exported, ...charts, ...calls, ...purchases, fresh]
    } finally {
      await Promise.all([servers.few.stop(), servers.many.stop()])
    }
  } finally {
    for (const sale of sales) await closeSale(sale)
    await postgres.stop()
  }
}

async function findPid({ client }: GrownSale): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  )
  return rows[0]?.pid ?? 0
}

async function proveBooks({ few, many }: Pair<GrownSale>): Promise<Finding[]> {
  await checkNow(few)
  await auditNow(few)
  const first = await checkNow(many)
  const audit = await auditNow(many)
  const after = await checkNow(many)
  const notRun = first.report.notRun.length + audit.notRun + after.report.notRun.length
  const breaches = [...first.report.breaches, ...after.report.breaches]
  return [
    {
      promise: 'Every check of the books can be made of everything, and finds them in order',
      seen:
        `${notRun} not made, ${breaches.length} breaches; all of it in ${seconds(audit.ms)} ` +
        `and ${audit.pages} pieces`,
      bar: '0 not made, 0 breaches',
      assessment: neverMoreThan(0, notRun + breaches.length),
    },
    {
      promise: 'A check of what was changed costs nothing where nothing was',
      seen: `${after.ms.toFixed(0)} ms`,
      bar: 'every minute',
      assessment: assess(after.ms < MINUTE_MS / 10),
    },
  ]
}

/** A chart is read at most every five seconds: what each reading costs shows only beneath that. */
async function proveCharts(pair: Pair<GrownSale>): Promise<Finding[]> {
  const READINGS = 20
  const findings: Finding[] = []
  for (const period of chartPeriods) {
    const msOf = async ({ open }: GrownSale) => {
      let now = Date.now()
      const reader = createChartReader(open.database, { now: () => new Date((now += 10_000)) })
      const startedAt = performance.now()
      for (let nth = 0; nth < READINGS; nth += 1) await reader.read(period)
      return (performance.now() - startedAt) / READINGS
    }
    const count = startCounting([await findPid(pair.few)])
    const [few, many] = [await msOf(pair.few), await msOf(pair.many)]
    findings.push({
      promise: `The price chart of ${period === 'all' ? 'all time' : `a ${period}`} is read at once`,
      seen: `${many.toFixed(1)} ms of ${pair.many.growth.pricePoints} points, ${few.toFixed(1)} ms of ${pair.few.growth.pricePoints}`,
      bar: 'under 100 ms, each five seconds at most',
      assessment: assess(many < 100, count().wasQuiet),
    })
  }
  return findings
}

function proveStart({ few, many }: Pair<RunningServer>): Finding {
  return {
    promise: 'A grown sale starts at once',
    seen: `${seconds(many.startMs)} until it can serve, ${seconds(few.startMs)} when it began`,
    bar: `at most ${seconds(START_WITHIN_MS)}`,
    assessment: assess(many.startMs <= START_WITHIN_MS, few.wasQuiet && many.wasQuiet),
  }
}

async function proveExport(
  { growth }: GrownSale,
  { port, pid }: RunningServer,
  token: string,
): Promise<Finding> {
  const startedAt = performance.now()
  const before = rssOf(pid)
  let highest = before
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      highest = Math.max(highest, rssOf(pid))
      await delay(20)
    }
  })()
  const reply = await fetch(`http://127.0.0.1:${port}${API_BASE}/operator/allocations`, {
    headers: { authorization: `Bearer ${token}`, 'operator-name': 'proof' },
  })
  let [bytes, lines] = [0, -1]
  for await (const part of reply.body ?? []) {
    bytes += part.length
    for (const byte of part) if (byte === 10) lines += 1
  }
  over.abort()
  await watching
  const ms = performance.now() - startedAt
  return {
    promise: 'What everybody is owed is sent as it is read',
    seen:
      `${lines} lines, ${(bytes / MIB).toFixed(1)} MiB in ${seconds(ms)}; the server had ` +
      `${highest.toFixed(0)} MiB at most, ${before.toFixed(0)} before`,
    bar: `every user with tokens (${growth.users}, but for a few), at most ${EXPORT_RSS_MAX} MiB`,
    assessment:
      lines < growth.users * 0.99 || reply.status !== 200
        ? 'failed'
        : assess(highest <= EXPORT_RSS_MAX),
  }
}

function rssOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return (Number(kib ?? 0) * 1024) / MIB
}

type Means = { operatorToken: string; postgresPid: number }

async function proveCalls(
  scope: ProofScope,
  sales: Pair<GrownSale>,
  servers: Pair<RunningServer>,
  { operatorToken, postgresPid }: Means,
): Promise<Finding[]> {
  const warmUp = bySize(scope, { short: 10, whole: 100, long: 100 })
  const asked = bySize(scope, { short: 20, whole: 300, long: 1_000 })
  const askers = {
    few: createAsker(servers.few.port, operatorToken, sales.few.people),
    many: createAsker(servers.many.port, operatorToken, sales.many.people),
  }
  let nth = 0
  const ask = async (which: keyof Pair<unknown>, call: MeasuredCall, count: number) => {
    const used = countPrecisely([servers[which].pid, postgresPid])
    for (let each = 0; each < count; each += 1) await askers[which](call, (nth += 1))
    return used() / count
  }
  const calls = [...measuredCalls, exportCall].map((call) => ({
    call,
    costs: { few: [], many: [] } as Pair<number[]>,
  }))
  // Each round asks for all of them: what goes on beside for a second or two is in one round of a
  // call, and not in all. It only adds to it, so that the cheapest counts.
  for (let round = 0; round < ROUNDS[scope.size]; round += 1) {
    for (const { call, costs } of calls) {
      // The first calls plan and fill caches. Nobody may export often.
      const [first, then] = call === exportCall ? [10, 10] : [warmUp, asked]
      for (const which of ['few', 'many'] as const) {
        await ask(which, call, first)
        costs[which].push(await ask(which, call, then))
      }
    }
  }
  const ratios = calls.map(({ call: { name }, costs }) => {
    const [few, many] = [Math.min(...costs.few), Math.min(...costs.many)]
    return { name, ratio: many / few, few, many }
  })
  ratios.sort((one, other) => other.ratio - one.ratio)
  const slow = ratios.filter(({ ratio }) => ratio > CALL_RATIO_MAX)
  const list = (some: typeof ratios) =>
    some
      .map(
        ({ name, ratio, few, many }) =>
          `${name} ${ratio.toFixed(2)} (${few.toFixed(0)} → ${many.toFixed(0)} µs)`,
      )
      .join(', ')
  return [
    {
      promise: `Each of ${ratios.length} calls costs what it cost when the sale began`,
      seen:
        slow.length > 0 ? `Too dear: ${list(slow)}` : `The dearest: ${list(ratios.slice(0, 5))}`,
      bar: `at most ${CALL_RATIO_MAX} times the CPU of server and PostgreSQL`,
      assessment: assess(slow.length === 0),
    },
  ]
}

async function provePurchases(
  scope: ProofScope,
  servers: Pair<RunningServer>,
  postgresPid: number,
): Promise<Finding[]> {
  const time = bySize(scope, { short: 2, whole: 8, long: 20 })
  const rounds = bySize(scope, { short: 2, whole: 3, long: 5 })
  const next = { few: 1, many: 1 }
  const usOf: Pair<number[]> = { few: [], many: [] }
  const perSecond: Pair<number[]> = { few: [], many: [] }
  let isQuiet = true
  for (let round = 0; round <= rounds; round += 1) {
    for (const which of ['few', 'many'] as const) {
      const count = startCounting([postgresPid])
      const report = await runBuyers({
        port: servers[which].port,
        buyers: BUYERS,
        seconds: time,
        tokenPrefix: BUYER_PREFIX,
        perSecond: null,
        firstAccount: next[which],
        purchasesPerAccount: PURCHASES_PER_ACCOUNT,
      })
      next[which] += report.accounts
      const { used, wasQuiet } = count()
      // The first round warms up.
      if (round === 0) continue
      isQuiet &&= wasQuiet
      usOf[which].push((used(servers[which].pid) + used(postgresPid)) / report.purchases)
      perSecond[which].push(report.purchases / time)
    }
  }
  const cpu = median(usOf.few) / median(usOf.many)
  const speed = median(perSecond.many) / median(perSecond.few)
  const seen = (values: Pair<number[]>, unit: string) =>
    `${median(values.many).toFixed(0)} beside ${median(values.few).toFixed(0)} ${unit}`
  return [
    {
      promise: 'A purchase costs what it cost when the sale began',
      seen: `${cpu.toFixed(2)}: ${seen(usOf, 'µs of CPU')}, ${BUYERS} buyers`,
      bar: `at least ${PURCHASE_RATIO_MIN}`,
      assessment: assess(cpu >= PURCHASE_RATIO_MIN),
    },
    {
      promise: 'As many purchases a second are made as when the sale began',
      seen: `${speed.toFixed(2)}: ${seen(perSecond, 'a second')}, ${BUYERS} buyers`,
      bar: `at least ${PURCHASE_RATIO_MIN}`,
      assessment: assess(speed >= PURCHASE_RATIO_MIN, isQuiet),
    },
  ]
}

/** What was bought meanwhile is checked by itself, however much there was before. */
async function proveNewRows(sale: GrownSale): Promise<Finding> {
  const { rows } = await sale.client.query<{ count: number }>(
    `select count(*)::integer as count from purchases where status = 'pending'`,
  )
  const { report, ms } = await checkNow(sale)
  return {
    promise: 'A check of what was just bought is made within its minute',
    seen:
      `${rows[0]?.count ?? 0} purchases in ${seconds(ms)}, ${report.notRun.length} checks not made, ` +
      `${report.breaches.length} breaches`,
    bar: '0 not made, 0 breaches, under a minute',
    assessment:
      report.notRun.length + report.breaches.length > 0 ? 'failed' : assess(ms < MINUTE_MS),
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
