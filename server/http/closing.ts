import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

import type { LiveStreams } from './live-streams.ts'

/** How long calls that are under way may take to end, once the server closes. */
const GRACE_MS = 5_000

/** Lets the server close although streams are open and browsers hold connections in reserve. */
export function addClosing(app: FastifyInstance, streams: LiveStreams): void {
  // Connections over which nothing was asked yet: the server does not count them as idle.
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))

  app.addHook('preClose', async () => {
    streams.closeAll()
    for (const socket of unused) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref()
  })
}
