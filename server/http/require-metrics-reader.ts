import type { FastifyRequest } from 'fastify'

import { Refusal } from '#domain/refusal.ts'
import type { Settings } from '#server/services.ts'
import { hasBearerToken } from './routing/bearer-token.ts'

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i

/** What a proxy says of the call that it passes on. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/

/**
 * Refuses with `Unauthenticated` whoever may not read the metrics. Where there is a token for them,
 * it is asked of everybody. Without one they are for the machine itself, and a call that a proxy
 * passed on is not the machine's.
 */
export function requireMetricsReader(
  { metricsToken }: Pick<Settings, 'metricsToken'>,
  { headers, socket }: FastifyRequest,
): void {
  if (metricsToken === null) {
    const isDirect = !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
    if (isDirect && LOOPBACK.test(socket.remoteAddress ?? '')) return
    throw new Refusal('Unauthenticated', { message: 'Metrics are told to this machine alone' })
  }
  if (hasBearerToken(headers, metricsToken)) return
  throw new Refusal('Unauthenticated', { message: 'The token for metrics is missing or not right' })
}
