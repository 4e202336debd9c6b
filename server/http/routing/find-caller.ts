import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Caller, Services } from '#server/services.ts'
import { readBearerToken } from './bearer-token.ts'

/**
 * Who makes the call, by its `Authorization` header. Null where the call is open, or a login is
 * optional and missing or shut; refuses with `Unauthenticated` where one is needed, and with
 * `PasswordChangeRequired` where the user has to choose another password first.
 */
export async function findCaller(
  services: Services,
  { access, whilePasswordIsDue }: Pick<Endpoint, 'access' | 'whilePasswordIsDue'>,
  authorization: string | undefined,
): Promise<Caller | null> {
  if (access === 'open') return null
  const token = readBearerToken(authorization)
  const caller = token === null ? null : await services.sessions.find(token)
  if (caller === null && access === 'user') throw new Refusal('Unauthenticated')
  if (!caller?.user.requiresPasswordChange || whilePasswordIsDue) return caller
  if (access === 'user') throw new Refusal('PasswordChangeRequired')
  return null
}
