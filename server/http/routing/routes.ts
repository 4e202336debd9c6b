import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'

import { API_BASE, type Endpoint, SERVER_TIME } from '#contract/endpoint.ts'
import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'
import { WaitsForApproval } from '#server/use-cases/approvals/require-approval.ts'
import { type Asking, findCaller } from './find-caller.ts'
import { findOperator, requireName } from './find-operator.ts'
import { requirePlace, sendFile } from './file-stream.ts'
import type { EventSource, Route, SentFile, Started } from './implement.ts'
import { type LiveStreams, streamHeaders } from './live-streams.ts'
import { operatorCookie } from './operator-cookie.ts'
import { presentWaiting } from './present-approval.ts'
import { readInput } from './read-input.ts'
import type { ReadyTexts } from './ready-text.ts'
import { sendRows } from './row-stream.ts'

/** For a call that waits for a second person (RFC 9110, 15.3.3). */
export const WAITS_STATUS = 202

/** Limits bodies that are hashed before the sender is known. */
const UNREAD_BYTES_MAX = 64 * 1024

export function addRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly Route[],
  kept: { streams: LiveStreams; texts: ReadyTexts },
): void {
  for (const route of routes) {
    const { endpoint } = route
    const add = (scope: FastifyInstance) =>
      scope.route({
        method: endpoint.method,
        url: urlOf(endpoint),
        exposeHeadRoute: endpoint.method === 'GET',
        ...(endpoint.bytes && { bodyLimit: UNREAD_BYTES_MAX }),
        ...(endpoint.bodyBytesMax && { bodyLimit: endpoint.bodyBytesMax }),
        handler: (request, reply) => answer(services, route, request, reply, kept),
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
  { streams, texts }: { streams: LiveStreams; texts: ReadyTexts },
): Promise<unknown> {
  const operator =
    endpoint.access === 'operator' ? await findOperator(services, endpoint, request) : null
  const user = operator === null ? await findCaller(services, endpoint, request) : null
  const input = readInput(endpoint, request)
  if (endpoint.sameForAll) {
    return await texts.send(request, reply, {
      key: `${name} ${JSON.stringify(input)}`,
      make: async () => checkedBody(endpoint, await handle({ ...services }, input, null, NOBODY)),
      isOpen: endpoint.access === 'open',
      isPlainAddress: isPlainAddress(endpoint, request),
    })
  }
  if (operator !== null || user !== null)
    reply.header(SERVER_TIME, services.clock.now().toISOString())
  if (operator !== null) {
    requireName(endpoint, operator)
    // The parameters may be personal data: they are recorded with the actions, not in the log.
    const { kind, id, address } = operator
    const facts = { requestId: request.id, call: name, kind, operatorId: id, address }
    services.log.info(facts, 'An operator makes a call')
  }
  // A call sees one sale from beginning to end; a stream, which may stay open for hours, follows
  // changes.
  const present = endpoint.events === undefined ? { ...services } : services
  // The audit log has downloads that began, and none that was refused.
  if (endpoint.rows !== undefined || endpoint.file) requirePlace()
  const answered = await handle(present, input, operator ?? user, clientOf(request)).catch(
    (fault: unknown) => {
      if (fault instanceof WaitsForApproval && endpoint.mayWait) return fault
      throw fault
    },
  )
  if (answered instanceof WaitsForApproval) {
    return reply.code(WAITS_STATUS).send(presentWaiting(answered))
  }
  const result = withSession(services, endpoint, reply, answered)
  if (endpoint.events !== undefined) {
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send(Readable.from([]))
    // A stream may stay open for hours: it keeps only the part of the request that identifies its
    // session.
    const { authorization, cookie } = request.headers
    const headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) }
    const asking = { headers, ip: request.ip, id: request.id }
    streams.open(reply, endpoint.events, result as EventSource<unknown>, {
      owner: operator?.id ?? user?.userId ?? request.ip,
      isStillOpen: () => mayStillCall(services, endpoint, asking),
    })
    // Were the reply returned, the framework would wait for its end, and keep all of this.
    return undefined
  }
  if (endpoint.rows !== undefined) {
    const day = services.clock.now().toISOString().slice(0, 10)
    return await sendRows(request, reply, endpoint.rows, result as AsyncGenerator<unknown[]>, day)
  }
  if (endpoint.file) return await sendFile(reply, result as SentFile)
  return reply.code(successStatus(endpoint)).send(checkedBody(endpoint, result))
}

async function mayStillCall(
  services: Services,
  endpoint: Endpoint,
  asking: Asking,
): Promise<boolean> {
  if (endpoint.access === 'user') {
    return (await findCaller(services, { access: 'optional' }, asking)) !== null
  }
  if (endpoint.access !== 'operator') return true
  return await findOperator(services, endpoint, asking).then(
    () => true,
    (fault: unknown) => {
      if (fault instanceof Refusal) return false
      throw fault
    },
  )
}

/** Starts or ends an operator's session if the call does, and returns the reply. */
function withSession(
  { settings }: Services,
  { session }: Endpoint,
  reply: FastifyReply,
  answered: unknown,
): unknown {
  if (session === undefined) return answered
  const started = session === 'starts' ? (answered as Started<unknown>) : null
  reply.header('set-cookie', operatorCookie(settings, started?.session ?? null))
  return started === null ? answered : started.result
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
export function successStatus({ status, result, events, rows, file }: Endpoint): number {
  return status ?? ((result ?? events ?? rows ?? file) === undefined ? 204 : 200)
}

/** The rest of a longer one is not kept. */
const USER_AGENT_LENGTH_MAX = 300

/** The client for whom a shared reply is made, so that nothing in it depends on who asked first. */
const NOBODY: Client = { address: '', userAgent: '' }

/** False for the endless other ways of writing an address than the one that clients use. */
function isPlainAddress({ query: schema }: Endpoint, request: FastifyRequest): boolean {
  const { routeOptions, url, query } = request
  const given = new URLSearchParams(schema && (query as Record<string, string>)).toString()
  return url === `${routeOptions.url}${given === '' ? '' : `?${given}`}`
}

function clientOf({ ip, headers }: FastifyRequest): Client {
  // HTTP allows control characters beyond ASCII, which a terminal that shows them would obey.
  const userAgent = (headers['user-agent'] ?? '').replaceAll(/\p{Cc}/gu, ' ')
  return { address: ip, userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }
}

/** `/users/{id}` as the framework spells it: `/api/v1/users/:id`. */
function urlOf({ path }: Endpoint): string {
  return API_BASE + path.replaceAll(/\{(\w+)\}/g, ':$1')
}
