import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

import { Refusal } from '#domain/refusal.ts'
import type { LiveStreams } from './routing/live-streams.ts'

/** How long calls that are under way may take to end, once the server closes. */
const GRACE_MS = 5_000

/** Another instance, or the same one started anew, answers by then. */
const RETRY_AFTER_SECONDS = 5

/** Lets the server close although streams are open and browsers hold connections in reserve. */
export function addClosing(app: FastifyInstance, streams: LiveStreams): void {
  // Connections over which nothing was asked yet: the server does not count them as idle.
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
