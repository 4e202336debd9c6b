import type { FastifyRequest } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { Endpoint } from '#contract/endpoint.ts'
import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

const BEARER = /^Bearer ([\w-]{1,200})$/i

/**
 * The caller, by the `Authorization` header. Null where the call is open or an operator’s, or where
 * a login is optional and missing or expired. Refuses with `Unauthenticated` where one is needed,
 * and with `PasswordChangeRequired` where the user has to choose another password first.
 */
export async function findCaller(
  services: Services,
  { access, whilePasswordIsDue }: Pick<Endpoint, 'access' | 'whilePasswordIsDue'>,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (access === 'operator') await requireOperator(services, request)
  if (access === 'open' || access === 'operator') return null
  const token = readBearerToken(request.headers.authorization)
  const caller = token === null ? null : await services.sessions.find(token)
  if (caller === null && access === 'user') throw new Refusal('Unauthenticated')
  if (!caller?.user.requiresPasswordChange || whilePasswordIsDue) return caller
  if (access === 'user') throw new Refusal('PasswordChangeRequired')
  return null
}

/**
 * Refuses with `Unauthenticated` without the operator’s token. Wrong tokens have a rate limit of
 * their own, so that nobody can lock an operator out.
 */
async function requireOperator(
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

/** The token of an `Authorization` header; null where it is missing or malformed. */
function readBearerToken(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Compares hashes, which have one length, in constant time. */
export function hasBearerToken({ authorization }: IncomingHttpHeaders, token: Secret): boolean {
  const given = readBearerToken(authorization) ?? ''
  return timingSafeEqual(digest(given), digest(token.reveal()))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
