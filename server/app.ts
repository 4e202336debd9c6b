import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import { addBadAddresses } from './http/routing/bad-addresses.ts'
import { addClosing } from './http/closing.ts'
import { addConnectionBounds, answerUnreadable, connectionTimes } from './http/connections.ts'
import { addDocs } from './http/docs/docs.ts'
import { toErrorReply } from './http/routing/errors.ts'
import { addHealth } from './http/health.ts'
import type { Route } from './http/routing/implement.ts'
import { parseJsonBody } from './http/routing/json-body.ts'
import { createLiveStreams } from './http/routing/live-streams.ts'
import { addMailPage } from './http/mail-page.ts'
import { addMetrics } from './http/metrics.ts'
import { collectMethods } from './http/routing/other-methods.ts'
import { plainFault } from './http/routing/read-input.ts'
import { wantsPage } from './http/routing/wants-page.ts'
import { addReadyTexts } from './http/routing/ready-text.ts'
import { addRoutes } from './http/routing/routes.ts'
import { addSecurityContact } from './http/security-contact.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { addWebFiles, openWebApp, sendMissingPage, type WebApp } from './http/web/web-files.ts'
import type { Services } from '#server/services.ts'

export type AppOptions = {
  routes: readonly Route[]
  /** The built web app; null serves only the API. */
  webFolder: string | null
  /** How many of the proxies in front are ours and may say where a call comes from. */
  trustedProxies: number
  /** How often a live stream checks its session; left out, every 15 s. */
  heartbeatMs?: number
  /** How many connections may be open at once; left out, as many as the system allows. */
  connectionsMax?: number
}

const BODY_BYTES_MAX = 128 * 1024
const routerOptions = { maxParamLength: 200, ignoreTrailingSlash: true }

/** The whole HTTP side of the server, ready to listen or to be injected into. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  z.config({ localeError: plainFault })
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: BODY_BYTES_MAX,
    routerOptions,
    ...connectionTimes,
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: 'idle',
    // Assigned below: framework errors are answered in the same form as all other replies.
    frameworkErrors: (fault, request, reply) => answerBadAddress(fault, request, reply),
    return503OnClosing: false,
  })
  const connections = addConnectionBounds(app, options.connectionsMax ?? null)
  const streams = createLiveStreams(services.log, connections.take, options.heartbeatMs)
  const stopHearingGaps = services.live.onGap(() => streams.closeAll())
  const answerBadAddress = addBadAddresses(app)
  const answerOtherMethods = collectMethods(app, routerOptions)
  // Clients reconnect within seconds and fetch what they missed.
  app.addHook('onClose', async () => stopHearingGaps())

  const texts = addReadyTexts(app, services)
  addReading(app)
  const { webFolder } = options
  const web = webFolder === null ? null : await openWebApp(services, webFolder)
  addAnswering(app, services, web)
  const { publicUrl, isSandbox } = services.settings
  addSecurityHeaders(app, { isHttps: publicUrl.startsWith('https:'), isSandbox })
  addClosing(app, streams, connections)
  addMetrics(app, services, streams)
  addHealth(app, services)
  addSecurityContact(app, services)
  addRoutes(app, services, options.routes, { streams, texts })
  if (isSandbox) addMailPage(app, services)
  addDocs(app, options.routes, services, {
    address: services.settings.publicUrl,
    stylesheet: web?.stylesheet ?? null,
  })
  if (web !== null) await addWebFiles(app, services, web)
  await answerOtherMethods()
  return app
}

/** The only kind of body is JSON, and it is parsed strictly. */
function addReading(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  )
}

/** What every reply has: its request's id, no copy of the API's in any cache, one form of error. */
function addAnswering(app: FastifyInstance, services: Services, web: WebApp | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // By its route: `/%61pi` leads to the same call.
    const { routeOptions, url } = request
    if ((routeOptions.url ?? url).startsWith('/api')) reply.header('cache-control', 'no-store')
    done()
  })
  app.setErrorHandler((thrown, request, reply) => sendError(services, thrown, request, reply))
  app.setNotFoundHandler((request, reply) =>
    web !== null && wantsPage(request)
      ? sendMissingPage(web, request, reply)
      : sendError(services, new Refusal('NotFound'), request, reply),
  )
  app.addHook('onResponse', (request, reply, done) => {
    const facts = {
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
    }
    services.log.debug(facts, 'Answered')
    done()
  })
}

function sendError(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A client that disconnects in the middle of a body ends up here. That is not our fault.
  const isBrokenOff = request.raw.destroyed && !request.raw.complete
  const fault = isBrokenOff ? new Refusal('MalformedBody') : thrown
  const { status, headers, body, isFault } = toErrorReply(fault)
  if (isFault) {
    const { method, id: requestId } = request
    const facts = { requestId, method, path: pathOf(request), fault }
    services.log.error(facts, 'A call failed')
  }
  return reply
    .code(status)
    .headers(headers)
    .send({ ...body, request_id: request.id })
}

/**
 * The path as its route writes it: operators name people by address, which must not outlive an
 * erasure. Never the query, which may contain the token of a mailed link.
 */
function pathOf({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? url.split('?', 1)[0] ?? API_BASE
}
