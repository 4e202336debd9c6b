import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services, Settings } from '#server/services.ts'
import { getSaleState, type SaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { countSweeps } from '#server/use-cases/sweeps/report-sweeps.ts'
import { withTimeout } from '#server/use-cases/sale/with-timeout.ts'
import { hasBearerToken } from './routing/find-operator.ts'
import type { LiveStreams } from './routing/live-streams.ts'
import { shareAnswer } from './share-answer.ts'

const STATE_WITHIN_MS = 2_000
const METRICS_KEPT_MS = 1_000
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i

/** Headers that a proxy adds to the requests that it forwards. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/

/**
 * `GET /metrics` for Prometheus: the process, request durations, and the state of the sale and its
 * checks. While the database does not answer, the metrics of the sale are left out. They are read
 * at most once a second.
 */
export function addMetrics(app: FastifyInstance, services: Services, streams: LiveStreams): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long calls took, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const openStreams = new Gauge({
    name: 'live_streams',
    help: 'Streams of server-sent events that are open now',
    registers: [registry],
  })
  new Gauge({
    name: 'sale_build_info',
    help: 'Always 1: its label says which version this instance is',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: services.settings.version }, 1)
  const measureSale = addSaleMetrics(registry, services)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  const readMetrics = shareAnswer(services.clock, METRICS_KEPT_MS, async () => {
    openStreams.set(streams.count())
    await measureSale()
    return await registry.metrics()
  })
  app.get('/metrics', async (request, reply) => {
    requireMetricsReader(services.settings, request)
    reply.header('cache-control', 'no-store').type(registry.contentType)
    return await readMetrics()
  })
}

/**
 * Refuses with `Unauthenticated` whoever may not read the metrics. If a token is configured,
 * everybody needs it. Without one, only direct requests from this machine are allowed, and not
 * those that a proxy forwarded.
 */
function requireMetricsReader(
  { metricsToken }: Pick<Settings, 'metricsToken'>,
  { headers, socket }: FastifyRequest,
): void {
  if (metricsToken === null) {
    const isDirect = !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
    if (isDirect && LOOPBACK.test(socket.remoteAddress ?? '')) return
    throw new Refusal('Unauthenticated', { message: 'Metrics are only sent to this machine' })
  }
  if (hasBearerToken(headers, metricsToken)) return
  throw new Refusal('Unauthenticated', { message: 'The token for metrics is missing or wrong' })
}

/**
 * Read from the database, so that every instance reports the same numbers; only whether it has the
 * applied sale file is its own.
 */
function addSaleMetrics(registry: Registry, services: Services): () => Promise<void> {
  const gauge = (name: string, help: string) => {
    // Without a label, a gauge would report 0 until it is set.
    const labelled = new Gauge({ name, help, labelNames: ['sale'], registers: [registry] })
    return {
      set: (value: number) => labelled.set({ sale: services.sale.project.symbol }, value),
      reset: () => labelled.reset(),
    }
  }
  const paused = gauge('sale_paused', '1 while the sale is paused and can be resumed')
  const broken = gauge('sale_invariants_broken', 'Breaches that the last check of the books found')
  const notRun = gauge('sale_invariants_not_checked', 'Checks that could not be made last time')
  const checkedAt = gauge(
    'sale_invariants_checked_seconds',
    'Time of the last check, in seconds since 1970',
  )
  const took = gauge('sale_invariants_check_duration_seconds', 'How long the last check took')
  const auditedAt = gauge(
    'sale_books_audited_seconds',
    'Time of the last audit of all books, in seconds since 1970',
  )
  const notAudited = gauge('sale_books_not_audited', 'Checks that the last audit could not make')
  const sweeping = gauge('sale_sweep_in_flight', 'Sweep transactions that are on their way')
  const unswept = gauge('sale_sweep_failed', 'Sweep transactions of the last week that have failed')
  const unmatched = gauge('sale_unmatched_transfers', 'Transfers that belong to no purchase')
  const lost = gauge(
    'sale_gateway_payments_lost',
    'Payments requested from gateways that may or may not have been made',
  )
  const ofBooks = [paused, broken, notRun, checkedAt, took, auditedAt, notAudited]
  const withdrawable = gauge(
    'sale_withdrawable_dollars',
    'Worth of credited purchases that can still be withdrawn from, at their locked prices',
  )
  const unfollowed = gauge(
    'sale_file_not_followed',
    '1 while this instance cannot use the applied sale file, and sells nothing',
  )
  const all = [...ofBooks, unfollowed, unmatched, lost, sweeping, unswept, withdrawable]
  const setChains = addChainMetrics(registry)

  return async () => {
    for (const each of all) each.reset()
    setChains([])
    const state = await withTimeout(getSaleState(services), STATE_WITHIN_MS).catch(() => null)
    if (state === null) return
    setChains(state.chains)
    const sweeps = await withTimeout(countSweeps(services), STATE_WITHIN_MS).catch(() => null)
    sweeping.set(sweeps?.inFlight ?? 0)
    unswept.set(sweeps?.failed ?? 0)
    const isOver = state.snapshot !== null || (state.softCap?.closedAt ?? null) !== null
    paused.set(state.pause.paused !== null && !isOver ? 1 : 0)
    unfollowed.set(state.hasAppliedFile ? 0 : 1)
    unmatched.set(state.unmatchedCount)
    lost.set(state.lostPaymentCount)
    const dollars = state.withdrawable.reduce((sum, { usd }) => sum + usd, 0n)
    withdrawable.set(Number(formatDecimal(dollars, USD_DECIMALS)))
    if (state.audit !== null) {
      auditedAt.set(state.audit.endedAt.getTime() / 1000)
      notAudited.set(state.audit.notRun.length)
    }
    if (state.report === null) return
    broken.set(state.report.breaches.length)
    notRun.set(state.report.notRun.length)
    checkedAt.set(state.report.checkedAt.getTime() / 1000)
    took.set(state.report.durationMs / 1000)
  }
}

/** The health of chains as this instance sees it: each instance reads them independently. */
function addChainMetrics(registry: Registry): (chains: SaleState['chains']) => void {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry] })
  const faulty = gauge('sale_chain_faulty', '1 if the last reading failed', 'chain')
  const age = gauge('sale_chain_read_age_seconds', 'Seconds since a reading succeeded', 'chain')
  const unpayable = gauge(
    'sale_payment_token_unavailable',
    '1 if nothing can be bought with it now',
    'payment_token',
  )
  return (chains) => {
    for (const each of [faulty, age, unpayable]) each.reset()
    for (const { name: chain, fault, readAgoMs, tokens } of chains) {
      faulty.set({ chain }, fault === null ? 0 : 1)
      if (readAgoMs !== null) age.set({ chain }, readAgoMs / 1000)
      for (const { paymentToken, fault } of tokens) {
        unpayable.set({ payment_token: paymentToken.id }, fault === null ? 0 : 1)
      }
    }
  }
}
