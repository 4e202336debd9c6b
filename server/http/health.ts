import type { FastifyInstance } from 'fastify'

import type { Services } from '#server/services.ts'
import { withTimeout } from '#server/use-cases/sale/with-timeout.ts'
import { requireReady } from '#server/use-cases/operations/require-ready.ts'
import { shareAnswer } from './share-answer.ts'

const ANSWER_WITHIN_MS = 2_000
const READINESS_KEPT_MS = 1_000

/**
 * `GET /healthz` reports that the process is alive; `GET /readyz` that it can serve, which needs
 * its database, of its own version: 200 or 503. Both are 502 while the server closes. They are
 * public, so answers are shared for a second and give no reason.
 */
export function addHealth(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  const readReadiness = shareAnswer(services.clock, READINESS_KEPT_MS, () =>
    withTimeout(requireReady(services), ANSWER_WITHIN_MS).then(
      () => true,
      () => false,
    ),
  )
  app.get('/readyz', async (_request, reply) => {
    const isReady = await readReadiness()
    reply.header('cache-control', 'no-store').code(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'waiting' }
  })
}
