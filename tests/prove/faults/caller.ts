import { Agent, request } from 'node:http'

import { API_BASE } from '#contract/endpoint.ts'

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
    call: (address, method, path, { accessToken, key, from, headers, body, withinMs } = {}) =>
      new Promise((resolve, reject) => {
        const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
        const sending = request(
          address + API_BASE + path,
          {
            agent,
            method,
            timeout: withinMs ?? WITHIN_MS,
            headers: {
              ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
              ...(key !== undefined && { 'idempotency-key': key }),
              ...(from !== undefined && { 'x-forwarded-for': from }),
              ...(text !== undefined && {
                'content-type': 'application/json',
                'content-length': String(Buffer.byteLength(text)),
              }),
              ...headers,
            },
          },
          (reply) => {
            const chunks: Buffer[] = []
            reply.on('data', (chunk: Buffer) => chunks.push(chunk))
            reply.once('error', reject)
            reply.once('end', () => {
              const body = readJson(Buffer.concat(chunks).toString('utf8'))
              const { statusCode: status = 0, headers: replied } = reply
              if (body instanceof Error) reject(body)
              else
                resolve({ status, retryAfter: replied['retry-after'] ?? null, body: body as never })
            })
          },
        )
        sending.once('timeout', () => sending.destroy(new Error('No answer came in time')))
        sending.once('error', reject)
        sending.end(text)
      }),
    close: () => agent.destroy(),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return new Error(`What came back is no JSON: ${text.slice(0, 200)}`)
  }
}
