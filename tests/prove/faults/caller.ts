import { Agent } from 'node:http'

import { API_BASE } from '#contract/endpoint.ts'
import { send } from '../wire.ts'

export type Answer<Body = unknown> = { status: number; retryAfter: string | null; body: Body }

export type Call = {
  accessToken?: string
  /** The idempotency key. */
  key?: string
  /** The address from which the call seems to come. */
  from?: string
  headers?: Record<string, string>
  /** Text goes as it is; anything else as JSON. */
  body?: string | object
  /** After how long it is given up. */
  withinMs?: number
}

export type Caller = {
  /** Accepts whatever comes back. Rejects if nothing does. */
  call<Body = unknown>(
    address: string,
    method: 'GET' | 'POST',
    path: string,
    call?: Call,
  ): Promise<Answer<Body>>
  close(): void
}

/** Longer than any call may take, so that a server that hangs is noticed. */
const WITHIN_MS = 60_000

/** Calls on connections that stay open, as many as there are calls at a time. */
export function createCaller(): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 2_000 })
  return {
    call: async (address, method, path, call = {}) => {
      const { accessToken, key, from, headers, body, withinMs = WITHIN_MS } = call
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const sent = {
        method,
        path: API_BASE + path,
        headers: {
          ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(from !== undefined && { 'x-forwarded-for': from }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: text === undefined ? null : Buffer.from(text),
      }
      const reply = await send(agent, Number(new URL(address).port), sent, withinMs)
      const retryAfter = reply.headers['retry-after']
      return {
        status: reply.status,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        body: readJson(reply.body) as never,
      }
    },
    close: () => agent.destroy(),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`What came back is no JSON: ${text.slice(0, 200)}`)
  }
}
