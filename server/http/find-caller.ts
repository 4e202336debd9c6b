import type { Access } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Caller, Services } from '#server/services.ts'
import { readBearerToken } from './bearer-token.ts'

/**
 * Who makes the call, by its `Authorization` header. Null where the call is open or a login is
 * optional and missing; refuses with `Unauthenticated` where one is needed.
 */
export async function findCaller(
  services: Services,
  access: Access,
  authorization: string | undefined,
): Promise<Caller | null> {
  if (access === 'open') return null
  const token = readBearerToken(authorization)
  const caller = token === null ? null : await services.sessions.find(token)
  if (caller === null && access === 'user') throw new Refusal('Unauthenticated')
  return caller
}
