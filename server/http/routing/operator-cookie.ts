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
    `${nameOf(publicUrl)}=${session?.token ?? ''}`,
    `Path=${PATH}`,
    `Expires=${(session?.expiresAt ?? new Date(0)).toUTCString()}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(publicUrl) ? ['Secure'] : []),
  ].join('; ')
}

/** The token of an operator's session; null if a request has none. */
export function readOperatorCookie(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { cookie }: IncomingHttpHeaders,
): string | null {
  const start = `${nameOf(publicUrl)}=`
  const found = cookie?.split(/;\s*/).find((each) => each.startsWith(start))
  const value = found?.slice(start.length) ?? ''
  return VALUE.test(value) ? value : null
}

/** Browsers take a name that begins so only over https, so that nobody on the way sets another. */
function nameOf(publicUrl: string): string {
  return isHttps(publicUrl) ? `__Secure-${NAME}` : NAME
}

function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
