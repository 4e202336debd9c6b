import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'

import type { Endpoint } from '#contract/endpoint.ts'
import { OperatorName } from '#contract/operator/shapes.ts'
import { connectionOf } from '#domain/accounts/network.ts'
import { invariant } from '#domain/invariant.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Services } from '#server/services.ts'
import {
  API_KEY_PREFIX,
  type Operator,
  requirePermission,
} from '#server/use-cases/access/operator.ts'
import { type Asking, readBearerToken } from './find-caller.ts'
import { readOperatorCookie } from './operator-cookie.ts'

/**
 * Who makes an operator's call: with the server's token or a key in `Authorization`, or in a
 * session with its cookie. Refuses with `Unauthenticated`, and with `PermissionMissing` if they may
 * not make this call. Wrong tokens have a rate limit of their own, so that nobody can lock others
 * out; cookies have none, since nobody can guess 32 random bytes.
 */
export async function findOperator(services: Services, endpoint: Endpoint, asking: Asking) {
  const { limits, log } = services
  const { ip, id: requestId } = asking
  const operator = await identify(services, asking)
  if (operator === null) {
    // An open page may go on sending the cookie of a session that has ended.
    if (asking.headers.authorization !== undefined) {
      await limits.take('operator_wrong_by_address', connectionOf(ip))
      log.warn({ requestId, address: ip }, 'An operator’s call came with a wrong token')
    }
    throw new Refusal('Unauthenticated', { message: faultOf(services, asking.headers) })
  }
  // People may share a connection; users of the token are known by nothing else.
  if (operator.id === null) await limits.take('operator_by_address', connectionOf(ip))
  else await limits.take('operator_by_id', operator.id)
  const { permission } = endpoint
  invariant(permission !== undefined, 'Every operator’s call says what it takes.')
  requirePermission(operator, permission)
  return operator
}

function faultOf({ settings }: Services, headers: IncomingHttpHeaders): string {
  const { authorization } = headers
  if (readBearerToken(authorization)?.startsWith(API_KEY_PREFIX)) {
    return 'This key is unknown, was ended or has expired. Make another one in the console'
  }
  if (authorization === undefined && readOperatorCookie(settings, headers) !== null) {
    return 'Your session has ended. Log in again'
  }
  return 'The operator’s token is missing or wrong'
}

/** Refuses the token without a name if a call requires one: nothing else says who uses it. */
export function requireName({ headers: schema }: Endpoint, { kind, name }: Operator): void {
  if (kind !== 'token' || name !== null || schema === undefined) return
  const { error } = z.safeParse(OperatorName, undefined)
  throw wrongField('operator-name', error?.issues[0]?.message ?? '')
}

async function identify(
  { settings, operators }: Services,
  { headers, ip: address }: Asking,
): Promise<Operator | null> {
  if (headers.authorization === undefined) {
    const session = readOperatorCookie(settings, headers)
    if (session === null || !isFromOwnPage(headers)) return null
    const person = await operators.findPerson(session)
    return person && { ...person, address }
  }
  const token = readBearerToken(headers.authorization) ?? ''
  if (token.startsWith(API_KEY_PREFIX)) {
    const key = await operators.findKey(token)
    return key && { ...key, address }
  }
  if (!hasBearerToken(headers, settings.operatorToken)) return null
  const named = z.safeParse(OperatorName, headers['operator-name'])
  const name = named.success ? named.data : null
  return { kind: 'token', id: null, sessionId: null, name, role: null, permissions, address }
}

/**
 * A browser says where a request comes from. `SameSite` keeps the cookie from other sites; this
 * also keeps it from other hosts of the same site.
 */
function isFromOwnPage({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Compares hashes, which have one length, in constant time. */
export function hasBearerToken({ authorization }: IncomingHttpHeaders, token: Secret): boolean {
  const given = readBearerToken(authorization) ?? ''
  return timingSafeEqual(digest(given), digest(token.reveal()))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
