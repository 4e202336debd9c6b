import type { FastifyInstance } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'

import type { Services } from '#server/services.ts'
import { reachDatabase } from '#server/use-cases/reach-database.ts'

const ANSWER_WITHIN_MS = 2_000

/**
 * `GET /healthz` says that the process lives; `GET /readyz` that it can serve, which takes its
 * database: 200 or 503.
 */
export function addHealth(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', async (_request, reply) => {
    const isReady = await doesAnswer(services)
    reply.header('cache-control', 'no-store').code(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'waiting for the database' }
  })
}

async function doesAnswer(services: Services): Promise<boolean> {
  const stop = new AbortController()
  const tooLate = delay(ANSWER_WITHIN_MS, false, { signal: stop.signal }).catch(() => false)
  const asked = reachDatabase(services).then(
    () => true,
    () => false,
  )
  const isReady = await Promise.race([asked, tooLate])
  stop.abort()
  return isReady
}
