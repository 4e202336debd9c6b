import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import type { FuzzedSale } from './fuzz/good-values.ts'
import { roles } from './fuzz/make-call.ts'
import { type FuzzReport, runFuzz } from './fuzz/run-fuzz.ts'
import { startGatewayServer } from './servers/gateway-sale.ts'
import { startWatchedServer, type WatchedServer } from './servers/watched-server.ts'

const SHIPPED: FuzzedSale = { tokens: ['eth', 'usdt', 'btc', 'matic'], gateways: ['nowpayments'] }
const AT_GATEWAYS: FuzzedSale = { tokens: ['btc', 'btc-own'], gateways: ['nowpayments', 'btcpay'] }

type Place = {
  name: string
  sale: FuzzedSale
  share: number
  start: () => Promise<WatchedServer>
}

const places: readonly Place[] = [
  {
    name: 'PostgreSQL',
    sale: SHIPPED,
    share: 0.6,
    start: () => startWatchedServer({ database: 'postgres' }),
  },
  { name: 'PostgreSQL and gateways', sale: AT_GATEWAYS, share: 0.2, start: startGatewayServer },
  {
    name: 'the embedded database',
    sale: SHIPPED,
    share: 0.2,
    start: () => startWatchedServer({ database: 'embedded' }),
  },
]

/** Random calls, made from the contract, in every role and with every kind of fault. */
export const fuzz: Proof = {
  name: 'fuzz',
  title: 'Calls by chance, right and wrong, in every role',
  kind: 'inputs',
  async run(scope) {
    const calls = bySize(scope, { short: 5_000, whole: 100_000, long: 1_000_000 })
    const reports = new Map<string, FuzzReport>()
    const faults = new Map<string, string[]>()
    for (const { name, sale, share, start } of places) {
      const server = await start()
      try {
        const count = Math.round(calls * share)
        const report = await runFuzz(server, sale, { count, seed: scope.seed })
        reports.set(name, report)
        faults.set(name, server.faults)
        say(scope, name, report)
      } finally {
        await server.stop()
      }
    }
    return findingsOf([...reports.values()], [...faults.values()].flat())
  },
}

function say({ say: write }: ProofScope, name: string, report: FuzzReport): void {
  const statuses = [...report.byStatus].toSorted().map(([status, count]) => `${status}: ${count}`)
  write(`  ${name}: ${report.calls} calls, ${report.purchases} purchases; ${statuses.join(', ')}`)
  write(`    input changed in: ${listed(report.byForm)}`)
  for (const [kind, request] of report.faults) write(`    ${kind}\n      ${request}`)
  const holds = report.longHolds.map((ms) => ms.toFixed(0))
  if (holds.length > 0) write(`    loop kept beyond 50 ms: ${holds.slice(0, 40).join(', ')}`)
  for (const call of report.holding) write(`    keeps the loop ${call}`)
}

function findingsOf(reports: readonly FuzzReport[], logged: readonly string[]): Finding[] {
  const total = (of: (report: FuzzReport) => number) => sumOf(reports, of)
  const calls = total((report) => report.calls)
  const all = reports.flatMap(({ faults }) => [...faults.keys()])
  const broken = all.filter((kind) => /^5\d\d /.test(kind))
  const undeclared = all.filter((kind) => !broken.includes(kind))
  const ends = reports.flatMap(({ end }) => end ?? [])
  const longest = Math.max(0, ...reports.flatMap(({ longHolds }) => longHolds))
  const declined = new Map<string, number>()
  for (const report of reports) {
    for (const [reason, count] of report.declined) {
      declined.set(reason, (declined.get(reason) ?? 0) + count)
    }
  }
  const of = `of ${calls.toLocaleString('en')} calls`
  return [
    {
      promise: 'No call is answered by a fault of the server',
      seen: `${broken.length} kinds of 5xx ${of}; refused on purpose with 503: ${listed(declined) || 'none'}`,
      bar: '0',
      assessment: neverMoreThan(0, broken.length),
    },
    {
      promise: 'Every reply is one that the contract declares, with every header',
      seen: `${undeclared.length} kinds of others ${of}`,
      bar: '0',
      assessment: neverMoreThan(0, undeclared.length),
    },
    {
      promise: 'No input ends the process or is logged as a fault of the server',
      seen: `${ends.length} ends, ${logged.length} faults logged${logged[0] ? `: ${logged[0].slice(0, 300)}` : ''}`,
      bar: '0',
      assessment: neverMoreThan(0, ends.length + logged.length),
    },
    {
      promise: 'No call keeps the event loop for longer than 50 ms',
      seen:
        `${total(({ holding }) => holding.length)} calls that do alone; ` +
        `${total(({ longHolds }) => longHolds.length)} longer holds with 16 at once and all loops, ` +
        `the longest ${longest.toFixed(0)} ms`,
      bar: '0 calls',
      assessment: neverMoreThan(
        0,
        total(({ holding }) => holding.length),
      ),
    },
    {
      promise: 'What the callers did had effects for the next ones to meet, in every role',
      seen:
        `${total(({ purchases }) => purchases)} purchases made; ` +
        roles.map((role) => `${role}: ${total(({ byRole }) => byRole.get(role) ?? 0)}`).join('; '),
      bar: 'a purchase in 200 calls, some at each server, and every role',
      assessment: wasAlive(reports) ? 'held' : 'failed',
    },
  ]
}

/** Calls that are all refused at the first check would find nothing. */
function wasAlive(reports: readonly FuzzReport[]): boolean {
  const isEverybodyThere = roles.every((role) => reports.some(({ byRole }) => byRole.has(role)))
  return (
    isEverybodyThere &&
    reports.every(({ purchases }) => purchases > 0) &&
    sumOf(reports, ({ purchases }) => purchases) >= sumOf(reports, ({ calls }) => calls) / 200
  )
}

function sumOf(reports: readonly FuzzReport[], of: (report: FuzzReport) => number): number {
  return reports.reduce((sum, report) => sum + of(report), 0)
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
}
