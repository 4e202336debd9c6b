import type { IncomingHttpHeaders } from 'node:http'

import { API_BASE } from '#contract/endpoint.ts'
import type { Settings } from '#server/services.ts'

/** The session of an operator, which no script can read. */
const NAME = 'operator-session'
const PATH = `${API_BASE}/operator`
const VALUE = /^[\w-]{20,200}$/

export type StartedSession = { token: string; expiresAt: Date }

/**
 * The `Set-Cookie` that starts a session, or with null the one that ends it. `Strict` keeps it from
 * every request that another site causes.
 */
export function operatorCookie(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  session: StartedSession | null,
): string {
  return [
    `${NAME}=${session?.token ?? ''}`,
    `Path=${PATH}`,
    `Expires=${(session?.expiresAt ?? new Date(0)).toUTCString()}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
}

/** The token of an operator's session; null where a request has none. */
export function readOperatorCookie({ cookie }: IncomingHttpHeaders): string | null {
  const found = cookie?.split(/;\s*/).find((each) => each.startsWith(`${NAME}=`))
  const value = found?.slice(NAME.length + 1) ?? ''
  return VALUE.test(value) ? value : null
}
