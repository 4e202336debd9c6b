import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'

import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { OperatorName } from '#contract/operator-shapes.ts'
import { invariant } from '#domain/invariant.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { findCaller } from './find-caller.ts'
import type { Route, Subscribe } from './implement.ts'
import { type LiveStreams, streamHeaders } from './live-streams.ts'
import { readInput } from './read-input.ts'
import { sendRows } from './row-stream.ts'

/** Limits bodies that are hashed before the sender is known. */
const UNREAD_BYTES_MAX = 64 * 1024

/** Answers each of `routes` below the API's base path. */
export function addRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly Route[],
  streams: LiveStreams,
): void {
  for (const route of routes) {
    const { endpoint } = route
    const add = (scope: FastifyInstance) =>
      scope.route({
        method: endpoint.method,
        url: urlOf(endpoint),
        exposeHeadRoute: endpoint.method === 'GET',
        ...(endpoint.bytes && { bodyLimit: UNREAD_BYTES_MAX }),
        handler: (request, reply) => answer(services, route, request, reply, streams),
      })
    if (endpoint.bytes) addUnread(app, add)
    else add(app)
  }
}

/** Adds a route that gets its body as unparsed bytes, whatever its content type. */
function addUnread(app: FastifyInstance, add: (scope: FastifyInstance) => unknown): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => body,
    )
    add(scope)
  })
}

async function answer(
  services: Services,
  { name, endpoint, handle }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  streams: LiveStreams,
): Promise<unknown> {
  const caller = await findCaller(services, endpoint, request)
  const input = readInput(endpoint, request)
  if (endpoint.access === 'operator') {
    // The parameters may be personal data: they are recorded with the actions, not in the log.
    const facts = { requestId: request.id, call: name, address: request.ip }
    services.log.info(facts, 'An operator makes a call')
  }
  const result = await handle(services, input, caller, clientOf(request))
  if (endpoint.events !== undefined) {
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send(Readable.from([]))
    const isStillOpen = async () =>
      endpoint.access !== 'user' ||
      (await findCaller(services, { access: 'optional' }, request)) !== null
    streams.open(reply, endpoint.events, result as Subscribe<unknown>, {
      owner: caller?.userId ?? request.ip,
      isStillOpen,
    })
    return reply
  }
  if (endpoint.rows !== undefined) {
    return await sendRows(request, reply, endpoint.rows, result as AsyncGenerator<unknown[]>)
  }
  return reply.code(successStatus(endpoint)).send(checkedBody(endpoint, result))
}

/** The result as its schema declares it; undeclared fields never leave the server. */
function checkedBody({ method, path, result: schema }: Endpoint, result: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = z.safeParse(schema, result)
  invariant(
    parsed.success,
    `The reply of ${method} ${path} must fit its schema: ${parsed.error?.message ?? ''}`,
  )
  return parsed.data
}

/** The status of a success, as the contract declares it or implies it. */
export function successStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.result === undefined ? 204 : 200)
}

function clientOf({ ip, headers }: FastifyRequest): Client {
  const named = z.safeParse(OperatorName, headers['operator-name'])
  return {
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    operatorName: named.success ? named.data : null,
  }
}

/** `/users/{id}` as the framework spells it: `/api/v1/users/:id`. */
function urlOf({ path }: Endpoint): string {
  return API_BASE + path.replaceAll(/\{(\w+)\}/g, ':$1')
}
