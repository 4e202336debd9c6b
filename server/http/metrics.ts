import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import type { LiveStreams } from './live-streams.ts'

/** `GET /metrics` for Prometheus: the process, and the time each kind of call takes. */
export function addMetrics(app: FastifyInstance, streams: LiveStreams): void {
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
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (_request, reply) => {
    openStreams.set(streams.count())
    reply.header('cache-control', 'no-store').type(registry.contentType)
    return registry.metrics()
  })
}
