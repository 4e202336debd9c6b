import { randomUUID } from 'node:crypto'

import { API_BASE } from '#contract/endpoint.ts'
import { createWire } from '#tests/prove/wire.ts'
import { OPERATOR_TOKEN } from './watched-server.ts'

export type JsonCall = { as?: string; body?: object; key?: string; from?: string }

/** Makes well-formed calls and rejects every reply that is no success. */
export function createJsonCalls(port: number, connections: number) {
  const wire = createWire(port, connections)
  return {
    async call<Body>(method: string, path: string, options: JsonCall = {}): Promise<Body> {
      const { as, body, key = randomUUID(), from = '10.0.0.1' } = options
      const reply = await wire.send({
        method,
        path: API_BASE + path,
        headers: {
          'x-forwarded-for': from,
          'idempotency-key': key,
          'operator-name': 'Olga',
          ...(as !== undefined && { authorization: `Bearer ${as}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? Buffer.from(JSON.stringify(body)) : null,
      })
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`)
      return (reply.body === '' ? null : JSON.parse(reply.body)) as Body
    },
    wire,
    close: wire.close,
  }
}

export type JsonCalls = ReturnType<typeof createJsonCalls>

export const asOperator = { as: OPERATOR_TOKEN }

/** An address in a network of its own for each number. */
export function addressOf(nth: number): string {
  return `10.${(nth >> 8) & 255}.${nth & 255}.9`
}
