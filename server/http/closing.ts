import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

import { Refusal } from '#domain/refusal.ts'
import type { LiveStreams } from './routing/live-streams.ts'

/** How long requests in progress may take to finish once the server closes. */
const GRACE_MS = 5_000

/** By then another instance, or this one after its restart, answers. */
const RETRY_AFTER_SECONDS = 5

/**
 * Lets the server close despite open streams and idle connections that browsers keep in reserve.
 */
export function addClosing(app: FastifyInstance, streams: LiveStreams): void {
  // Connections without any request so far: the server does not count them as idle.
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))

  let isClosing = false
  app.addHook('onRequest', async () => {
    if (!isClosing) return
    throw new Refusal('Unavailable', {
      message: 'The server is about to restart. Try again in a few seconds',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    streams.closeAll()
    for (const socket of unused) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref()
  })
}
