import type { FastifyRequest } from 'fastify'

import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

/** The parts of a request that matter here. */
export type Asking = Pick<FastifyRequest, 'headers' | 'ip' | 'id'>

const BEARER = /^Bearer ([\w-]{1,200})$/i

/**
 * The user who calls, from the `Authorization` header. Null if the call is open, or if a login is
 * optional and missing or expired. Refuses with `Unauthenticated` if a login is required, and with
 * `PasswordChangeRequired` if the user has to choose another password first.
 */
export async function findCaller(
  services: Services,
  { access, whilePasswordIsDue }: Pick<Endpoint, 'access' | 'whilePasswordIsDue'>,
  { headers, ip: address }: Asking,
): Promise<Caller | null> {
  if (access === 'open') return null
  const token = readBearerToken(headers.authorization)
  const found = token === null ? null : await services.sessions.find(token)
  if (found === null) {
    if (access === 'user') throw new Refusal('Unauthenticated')
    return null
  }
  if (!found.user.requiresPasswordChange || whilePasswordIsDue) return { ...found, address }
  if (access === 'user') throw new Refusal('PasswordChangeRequired')
  return null
}

/** The token of an `Authorization` header; null if it is missing or malformed. */
export function readBearerToken(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}
