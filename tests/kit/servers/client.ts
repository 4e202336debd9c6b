import {
  API_BASE,
  type Endpoint,
  type InputOf,
  type ResultOf,
  type Schema,
} from '#contract/endpoint.ts'
import { WaitsForApproval } from '#contract/operator/approvals.ts'
import { ErrorBody, reasonsOf, refusals } from '#contract/error-body.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import * as z from 'zod/mini'

export type CallOptions = {
  accessToken?: string | undefined
  headers?: Record<string, string>
  /** The address from which the call seems to come. */
  remoteAddress?: string
}

/** The reply: a success with its body, or a refusal with its own. Both match the contract. */
export type Reply<Body> = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The body of a success; throws for a refusal, with its message. */
  body: Body
  /** The body of a refusal; throws for a success. */
  refusal: ErrorBody
}

export type TestClient = {
  call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    options?: CallOptions,
  ): Promise<Reply<ResultOf<E>>>
  /** The same with an input that the contract does not allow. */
  callWith(endpoint: Endpoint, input: LooseInput, options?: CallOptions): Promise<Reply<unknown>>
}

export type LooseInput = {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  headers?: Record<string, string | undefined>
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
}

/** Calls the API in this process, and checks every reply against the contract. */
export function createClient(app: FastifyInstance): TestClient {
  const callWith: TestClient['callWith'] = async (endpoint, input, options = {}) => {
    const { body, query = {} } = input
    const reply = await app.inject({
      method: endpoint.method,
      url: API_BASE + fillPath(endpoint.path, input.params ?? {}),
      query: Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      ),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.accessToken && { authorization: `Bearer ${options.accessToken}` }),
        ...withoutUndefined(input.headers ?? {}),
        ...options.headers,
      },
      ...(options.remoteAddress && { remoteAddress: options.remoteAddress }),
      ...(body !== undefined && {
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    })
    return readReply(endpoint, reply.statusCode, reply.headers, reply.body)
  }
  return {
    callWith,
    call: (endpoint, input, options) =>
      callWith(endpoint, input, options) as Promise<Reply<ResultOf<typeof endpoint>>>,
  }
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function readReply(
  endpoint: Endpoint,
  status: number,
  headers: Reply<unknown>['headers'],
  text: string,
): Reply<unknown> {
  const what = `${endpoint.method} ${endpoint.path} replied ${status}: ${text}`
  expect(headers['x-request-id'], 'every reply names its request').toBeTypeOf('string')
  if (status >= 400) {
    const refusal = z.parse(ErrorBody, JSON.parse(text))
    expect(refusal.code, what).toBe(status)
    expectDeclared(endpoint, refusal.reason)
    return {
      status,
      headers,
      refusal,
      get body(): never {
        throw new Error(what)
      },
    }
  }
  const waits = endpoint.mayWait === true && status === 202
  const allowed = endpoint.status ?? (endpoint.result === undefined ? 204 : 200)
  if (!waits) expect(status, what).toBe(allowed)
  return {
    status,
    headers,
    body: readBody(waits ? WaitsForApproval : endpoint.result, text),
    get refusal(): never {
      throw new Error(what)
    },
  }
}

/** Parsed strictly: what the schema does not declare must not have left. */
function readBody(schema: Schema | undefined, text: string): unknown {
  const parsed = schema === undefined ? text : JSON.parse(text)
  const body = schema === undefined ? undefined : z.parse(schema, parsed)
  expect(body ?? '', 'the reply holds what the contract declares and nothing else').toEqual(parsed)
  return body
}

/**
 * A call refuses only for reasons that it declares, so that the documentation and the web know them
 * all.
 */
function expectDeclared(endpoint: Endpoint, reason: RefusalReason): void {
  expect(
    [...reasonsOf(endpoint)],
    `${endpoint.method} ${endpoint.path} declares ${reason}`,
  ).toContain(reason)
  expect(refusals[reason]).toBeDefined()
}

function withoutUndefined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
