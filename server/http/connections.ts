import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import { type ErrorBody, refusals } from '#contract/error-body.ts'
import { releaseFromHttp } from './release-from-http.ts'

/** How often the server looks for connections whose request takes too long to arrive. */
const CHECK_EVERY_MS = 5_000
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 15_000
/** Longer than the pause between two heartbeats of a live stream. */
const SILENT_MAX_MS = 20_000

/**
 * How long a connection may take for each step, as options of the framework. A client that stops
 * reading is disconnected, and so is one that stops sending.
 */
export const connectionTimes = {
  requestTimeout: REQUEST_WITHIN_MS,
  connectionTimeout: SILENT_MAX_MS,
  http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: CHECK_EVERY_MS },
}

export type Connections = {
  /**
   * Takes the connection of a reply whose head is written and that stays open for hours: request
   * and reply are let go, and only the bound on what is unread remains. Null if the connection has
   * other requests as well, or cannot be taken.
   */
  take(response: ServerResponse): Socket | null
  /** Closes all, also those that were taken. */
  destroyAll(): void
}

/**
 * Closes further connections while there are `connectionsMax`, so that their memory is bounded, and
 * those that send or read nothing for too long, unless it is our turn to answer: a call may have to
 * wait longer than that. Answers a request with an unknown `Expect` like any other.
 */
export function addConnectionBounds(
  app: FastifyInstance,
  connectionsMax: number | null,
): Connections {
  const { server } = app
  if (connectionsMax !== null) server.maxConnections = connectionsMax
  server.on('checkExpectation', (request, response) => app.routing(request, response))
  const asked = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    asked.set(socket, response),
  )
  server.on('timeout', (socket) => {
    const response = asked.get(socket)
    const isWaiting = response !== undefined && !response.headersSent && !response.closed
    if (isWaiting && socket.writableLength === 0) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
  const { open, watch } = closeUnread(app)
  return {
    take(response) {
      const { socket } = response
      const isAlone = socket !== null && asked.get(socket) === response
      if (!isAlone || !releaseFromHttp(response, socket)) return null
      asked.delete(socket)
      watch(socket)
      return socket
    },
    destroyAll() {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

/** How much the system has taken of what was written, and since when it has taken no more. */
type Taken = { bytes: number; sinceMs: number }

/**
 * Closes connections whose clients stopped reading. Node itself waits twice as long before it
 * closes one, and does not close it at all while more is written, as heartbeats of a stream are.
 */
function closeUnread(app: FastifyInstance) {
  const open = new Map<Socket, Taken>()
  const watch = (socket: Socket) => {
    open.set(socket, { bytes: 0, sinceMs: performance.now() })
    socket.once('close', () => open.delete(socket))
  }
  app.server.on('connection', watch)
  const check = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, taken] of open) {
      const bytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || bytes > taken.bytes) {
        taken.bytes = bytes
        taken.sinceMs = nowMs
      } else if (nowMs - taken.sinceMs >= SILENT_MAX_MS) socket.destroy()
    }
  }, CHECK_EVERY_MS)
  app.addHook('onClose', async () => clearInterval(check))
  return { open, watch }
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Answers what is not an HTTP request, or did not arrive in time, in the form of every refusal, and
 * closes the connection, since nobody can tell where the next request would begin.
 */
export function answerUnreadable(fault: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || fault.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = STATUSES[fault.code ?? ''] ?? refusals.MalformedBody.status
  const requestId = randomUUID()
  const { message } = refusals.MalformedBody
  const body = { code, message, reason: 'MalformedBody', request_id: requestId } as const
  const text = JSON.stringify(body satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    'cache-control: no-store',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  // If the client goes on sending, nothing is read.
  socket.destroySoon()
}
