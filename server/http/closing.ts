import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import { setImmediate as nextTick, setTimeout as delay } from 'node:timers/promises'

import { Refusal } from '#domain/refusal.ts'
import type { Connections } from './connections.ts'
import type { LiveStreams } from './routing/live-streams.ts'

/** How long requests in progress may take to finish once the server closes. */
const GRACE_MS = 5_000

/** How long calls may be on their way that were sent before anybody could know of the closing. */
const ON_THE_WAY_MS = 100
/** A limit for callers who never stop. */
const READ_WITHIN_MS = 2_000

/** By then another instance, or this one after its restart, answers. */
const RETRY_AFTER_SECONDS = 5

/**
 * Lets the server close despite open streams and idle connections that browsers keep in reserve.
 */
export function addClosing(app: FastifyInstance, streams: LiveStreams, connections: Connections) {
  // Connections that have not sent a request: the server does not count them as idle.
  const unused = new Set<Socket>()
  let incoming = 0
  app.server.on('connection', (socket: Socket) => {
    incoming += 1
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => {
    incoming += 1
    unused.delete(socket)
  })

  /**
   * Under load, some calls have arrived without being read. They are read and answered before their
   * connections are closed. One pass of the event loop accepts a connection and reads from earlier
   * ones.
   */
  const readWhatHasArrived = async () => {
    if (!app.server.listening) return
    await delay(ON_THE_WAY_MS)
    const giveUpAt = performance.now() + READ_WITHIN_MS
    for (let before = -1; before !== incoming && performance.now() < giveUpAt;) {
      before = incoming
      await nextTick()
      await nextTick()
    }
  }

  let isClosing = false
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isClosing) return done()
    done(new Refusal('Restarting', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  })
  app.addHook('preClose', async () => {
    isClosing = true
    streams.closeAll()
    await readWhatHasArrived()
    for (const socket of unused) socket.destroy()
    setTimeout(() => connections.destroyAll(), GRACE_MS).unref()
  })
}
