import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'

import type { Endpoint } from '#contract/endpoint.ts'
import { ErrorBody, reasonsOf, refusals } from '#contract/error-body.ts'
import { successStatus } from '#server/http/routing/routes.ts'
import type { Received, Sent } from '#tests/prove/wire.ts'

/** Headers that every reply has, whatever it is. */
const EVERYWHERE: Record<string, RegExp> = {
  'x-request-id': /^[0-9a-f-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'.*object-src 'none'.*frame-ancestors 'none'/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'x-frame-options': /^DENY$/,
}
const NOWHERE = ['server', 'x-powered-by', 'access-control-allow-origin']
/** The one cookie, that of an operator's session, which no script reads. */
const COOKIE = /^operator-session=[^;]*; Path=\/api\/v1\/operator;.*HttpOnly; SameSite=Strict/

/** Refusals that say when to try again. */
const WAITED_FOR = ['TooManyRequests', 'Busy', 'Unavailable', 'Restarting']

/** What would reveal the inside of the server. */
const INSIDE = /node_modules|\bat .{1,80}\.ts:\d|password_hash|\$argon2|select .{1,40} from |ECONN/i

const StrictError = z.strictObject({ ...ErrorBody.shape })

/**
 * What in a reply the contract does not declare, or null. `endpoint` is the call that was made;
 * null if the address or the method was changed, so that only universal rules are checked.
 */
export function faultOf(endpoint: Endpoint | null, sent: Sent, reply: Received): string | null {
  const { status, headers, body } = reply
  for (const [name, form] of Object.entries(EVERYWHERE)) {
    if (!form.test(String(headers[name]))) return `its header ${name} is ${String(headers[name])}`
  }
  const extra = NOWHERE.find((name) => headers[name] !== undefined)
  if (extra !== undefined) return `it has the header ${extra}`
  const cookie = headers['set-cookie']
  const mayBeSet = endpoint === null || endpoint.session !== undefined
  if (cookie !== undefined && !(mayBeSet && COOKIE.test(String(cookie)))) {
    return `it sets the cookie ${String(cookie)}`
  }
  const caching = String(headers['cache-control'])
  if (sent.path.startsWith('/api') && !cachingOf(endpoint, status).includes(caching)) {
    return `its cache-control is ${caching}`
  }
  // What a user wrote is shown to them again, and may look like anything.
  const inside = status >= 400 ? INSIDE.exec(body) : null
  if (inside !== null) return `it shows the inside: ${inside[0]}`
  if (status >= 400) return faultOfRefusal(endpoint, sent, reply)
  if (sent.method === 'HEAD' || status === 204 || sent.method === 'OPTIONS') {
    return body === '' ? null : `it has a body, with ${status} for ${sent.method}`
  }
  if (
    status === 304 &&
    endpoint?.sameForAll === true &&
    sent.headers['if-none-match'] !== undefined
  ) {
    return body === '' ? null : 'it has a body, with 304'
  }
  return endpoint === null ? null : faultOfSuccess(endpoint, reply)
}

/** Shared replies may be cached, and are revalidated each time. */
function cachingOf(endpoint: Endpoint | null, status: number): string[] {
  if (status >= 400) return ['no-store']
  // Another address or method may be one that is the same for all.
  if (endpoint === null) return ['no-store', 'no-cache', 'private, no-cache']
  if (endpoint.sameForAll !== true) return ['no-store']
  return [endpoint.access === 'user' ? 'private, no-cache' : 'no-cache']
}

function faultOfRefusal(endpoint: Endpoint | null, sent: Sent, reply: Received): string | null {
  const { status, headers, body } = reply
  // The web app has a page of its own for addresses that do not exist.
  if (endpoint === null && status === 404 && String(headers['content-type']).includes('html')) {
    return null
  }
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return `a refusal of the type ${String(headers['content-type'])}`
  }
  if (sent.method === 'HEAD') return body === '' ? null : 'HEAD has a body'
  const parsed = z.safeParse(StrictError, parseJson(body))
  if (!parsed.success) return `a refusal of another form: ${parsed.error.message}`
  const { code, reason, message, request_id: requestId } = parsed.data
  if (code !== status) return `the code ${code} in a reply of ${status}`
  if (message === '' || requestId !== headers['x-request-id']) return 'another request id'
  if (refusals[reason].status !== status) return `${reason} with ${status}`
  if (endpoint !== null && !reasonsOf(endpoint).has(reason)) return `${reason} is not declared`
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'a 401 without its scheme'
  if (status === 405 && headers['allow'] === undefined) return 'a 405 without the methods'
  const isTimed = /^[1-9]\d*$/.test(String(headers['retry-after']))
  if (WAITED_FOR.includes(reason) && !isTimed) return `${reason} without Retry-After`
  return null
}

function faultOfSuccess(endpoint: Endpoint, { status, headers, body }: Received): string | null {
  if (status !== successStatus(endpoint)) return `the status ${status}`
  const type = String(headers['content-type'])
  if (endpoint.events !== undefined) return faultOfEvents(endpoint, type, body)
  if (endpoint.rows !== undefined) {
    return /^(text\/csv|application\/json); charset=utf-8/.test(type) ? null : `the type ${type}`
  }
  if (endpoint.file) {
    return /^(text\/csv|application\/json); charset=utf-8$/.test(type) ? null : `the type ${type}`
  }
  if (endpoint.result === undefined) return body === '' ? null : 'a body that none declares'
  if (type !== 'application/json; charset=utf-8') return `the type ${type}`
  const given = parseJson(body)
  const parsed = z.safeParse(endpoint.result, given)
  if (!parsed.success) return `a body of another form: ${parsed.error.message}`
  return isDeepStrictEqual(parsed.data, given) ? null : 'a body with more than is declared'
}

function faultOfEvents({ events }: Endpoint, type: string, body: string): string | null {
  if (type !== 'text/event-stream; charset=utf-8') return `the type ${type}`
  for (const [, data = ''] of body.matchAll(/^data: (.*)\n\n/gm)) {
    if (events !== undefined && !z.safeParse(events, parseJson(data)).success) {
      return `an event of another form: ${data.slice(0, 200)}`
    }
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
