import type { FastifyRequest } from 'fastify'

import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import { hasBearerToken } from './bearer-token.ts'

/**
 * Refuses with `Unauthenticated` whoever does not have the operator's token. Wrong tokens are
 * limited and never use up the tries of the right one, so that nobody can keep an operator out.
 */
export async function requireOperator(
  { settings, limits, log }: Services,
  { headers, ip, id: requestId }: FastifyRequest,
): Promise<void> {
  if (hasBearerToken(headers, settings.operatorToken)) {
    await limits.take('operator_by_address', connectionOf(ip))
    return
  }
  await limits.take('operator_wrong_by_address', connectionOf(ip))
  log.warn({ requestId, address: ip }, 'An operator’s call came without the right token')
  throw new Refusal('Unauthenticated', { message: 'The operator’s token is missing or not right' })
}
