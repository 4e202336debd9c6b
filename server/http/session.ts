import type { Access } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import type { Caller } from '#server/use-cases/caller.ts'

const BEARER = /^Bearer ([\w-]{1,200})$/i

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
  const token = BEARER.exec(authorization ?? '')?.[1]
  const caller = token === undefined ? null : await services.sessions.find(token)
  if (caller === null && access === 'user') throw new Refusal('Unauthenticated')
  return caller
}
