import type { IncomingHttpHeaders } from 'node:http'

import { API_BASE } from '#contract/endpoint.ts'
import type { Settings } from '#server/services.ts'

/** An operator's session, which scripts cannot read. */
const NAME = 'operator-session'
const PATH = `${API_BASE}/operator`
const VALUE = /^[\w-]{20,200}$/

export type StartedSession = { token: string; expiresAt: Date }

/**
 * The `Set-Cookie` that starts a session or, with null, ends it. `Strict` keeps the cookie out of
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

/** The token of an operator's session; null if a request has none. */
export function readOperatorCookie({ cookie }: IncomingHttpHeaders): string | null {
  const found = cookie?.split(/;\s*/).find((each) => each.startsWith(`${NAME}=`))
  const value = found?.slice(NAME.length + 1) ?? ''
  return VALUE.test(value) ? value : null
}
