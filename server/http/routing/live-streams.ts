import type { FastifyReply } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'

import type { Schema } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { Subscribe } from './implement.ts'

/** Comments keep proxies from closing a silent stream, and reveal that a client has gone. */
const HEARTBEAT_MS = 15_000
const RECONNECT_AFTER_MS = 3_000
const STREAMS_PER_OWNER_MAX = 12
/** A client that does not read is disconnected; it reconnects and fetches the current state. */
const UNREAD_BYTES_MAX = 1 << 20

export type StreamRules = {
  /** Whose stream it is; each owner may have a few open. */
  owner: string
  /** Checked at each heartbeat; false ends the stream, as a logout must. */
  isStillOpen: () => Promise<boolean>
}

export type LiveStreams = {
  open(reply: FastifyReply, schema: Schema, subscribe: Subscribe<unknown>, rules: StreamRules): void
  count(): number
  /** Ends every stream, so that the server can close. */
  closeAll(): void
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

/** The replies that stay open as streams of server-sent events. */
export function createLiveStreams(log: Log, heartbeatMs = HEARTBEAT_MS): LiveStreams {
  const closers = new Set<() => void>()
  const takePlace = createPlaces()

  return {
    open(reply, schema, subscribe, { owner, isStillOpen }) {
      const stream = reply.raw
      const { socket } = reply.request.raw
      // The client has disconnected meanwhile, and no event will report it again.
      if (stream.closed || socket.destroyed) {
        reply.hijack()
        return
      }
      const cleanups: (() => void)[] = [takePlace(owner)]
      const release = () => {
        socket.off('close', release)
        for (const cleanUp of cleanups.splice(0)) cleanUp()
      }
      const end = () => {
        stream.end()
        release()
      }
      closers.add(end)
      cleanups.push(() => closers.delete(end))
      stream.once('close', release)
      // A pipelined stream gets no `close` of its own, so that each listens to the socket; there
      // may be as many as its owner may have.
      socket.setMaxListeners(0)
      socket.once('close', release)
      reply.hijack()
      stream.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        ...streamHeaders,
      })
      const write = (text: string) => {
        // The stream may have ended while its session was being checked.
        if (stream.writableEnded) return
        if (stream.writableLength > UNREAD_BYTES_MAX) socket.destroy()
        else stream.write(text)
      }
      write(`retry: ${RECONNECT_AFTER_MS}\n\n`)

      cleanups.push(subscribe((event) => write(formatEvent(z.parse(schema, event)))))
      const beat = async () => {
        if (await isStillOpen()) write(': still here\n\n')
        else end()
      }
      const heartbeat = setInterval(() => {
        void beat().catch((fault: unknown) => {
          log.warn({ fault }, 'A live stream was ended because its session could not be checked')
          end()
        })
      }, heartbeatMs)
      cleanups.push(() => clearInterval(heartbeat))
    },
    count: () => closers.size,
    closeAll() {
      for (const close of closers) close()
    },
  }
}

/** Limits the streams of each owner. What it returns releases the place. */
function createPlaces(): (owner: string) => () => void {
  const countByOwner = new Map<string, number>()

  return (owner) => {
    const count = countByOwner.get(owner) ?? 0
    if (count >= STREAMS_PER_OWNER_MAX) {
      throw new Refusal('TooManyRequests', { retryAfterSeconds: HEARTBEAT_MS / 1000 })
    }
    countByOwner.set(owner, count + 1)
    return () => {
      const left = (countByOwner.get(owner) ?? 1) - 1
      if (left === 0) countByOwner.delete(owner)
      else countByOwner.set(owner, left)
    }
  }
}

/** The event's name is its `type`. JSON has no line break of its own. */
function formatEvent(event: unknown): string {
  const name =
    typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : 'message'
  return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`
}
