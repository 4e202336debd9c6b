import type { FastifyReply } from 'fastify'
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import * as z from 'zod/mini'

import type { Schema } from '#contract/endpoint.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { EventSource } from './implement.ts'

/** Comments keep proxies from closing a silent stream, and reveal that a client is gone. */
const HEARTBEAT_MS = 15_000
/** Streams are checked in this many portions, so that not all are checked at once. */
const PORTIONS_PER_HEARTBEAT = 15
const RECONNECT_AFTER_MS = 3_000
const STREAMS_PER_OWNER_MAX = 12
/** A client that does not read is disconnected; it reconnects and fetches the current state. */
const UNREAD_BYTES_MAX = 1 << 20
/** How many are written to in one pass of the event loop, which takes a millisecond or two. */
const STREAMS_PER_SLICE = 32

export type StreamRules = {
  /** Whose stream it is; each owner may have only a few open. */
  owner: string
  /** Checked at each heartbeat; false ends the stream, for example after a logout. */
  isStillOpen: () => Promise<boolean>
}

export type LiveStreams = {
  open(reply: FastifyReply, schema: Schema, source: EventSource<unknown>, rules: StreamRules): void
  count(): number
  /** Ends every stream, so that the server can close. */
  closeAll(): void
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

const GREETING = Buffer.from(`retry: ${RECONNECT_AFTER_MS}\n\n`)
const HEARTBEAT = Buffer.from(': still here\n\n')

type Stream = {
  /** Usually the connection itself; the reply where other requests are on the connection too. */
  out: Socket | ServerResponse
  socket: Socket
  isStillOpen: () => Promise<boolean>
  checkedAtMs: number
  /** Releases its place, and unsubscribes. */
  release: () => void
}

/** Replies that stay open as streams of server-sent events. */
export function createLiveStreams(
  log: Log,
  takeConnection: (response: ServerResponse) => Socket | null,
  heartbeatMs = HEARTBEAT_MS,
): LiveStreams {
  /** Ordered by their last check, oldest first. */
  const streams = new Set<Stream>()
  const takePlace = createPlaces()
  const broadcast = createBroadcast(streams)
  let heartbeat: NodeJS.Timeout | null = null
  let stopHearing: (() => void) | null = null

  function add(stream: Stream, schema: Schema, { forAll }: EventSource<unknown>): void {
    streams.add(stream)
    heartbeat ??= setInterval(
      () => void checkDue(streams, heartbeatMs, log),
      heartbeatMs / PORTIONS_PER_HEARTBEAT,
    )
    stopHearing ??= forAll((event) => broadcast(nameOf(event), formatEvent(z.parse(schema, event))))
  }

  function remove(stream: Stream): boolean {
    if (!streams.delete(stream)) return false
    if (streams.size > 0) return true
    clearInterval(heartbeat ?? undefined)
    stopHearing?.()
    heartbeat = null
    stopHearing = null
    return true
  }

  return {
    open(reply, schema, source, { owner, isStillOpen }) {
      const response = reply.raw
      const { socket } = reply.request.raw
      // The client disconnected in the meantime, and no event will report it again.
      if (response.closed || socket.destroyed) {
        reply.hijack()
        return
      }
      const leavePlace = takePlace(owner)
      begin(reply)
      const out = takeConnection(response) ?? response
      let stopOwn: (() => void) | null = null
      const stream: Stream = { out, socket, isStillOpen, checkedAtMs: performance.now(), release }
      function release(): void {
        if (!remove(stream)) return
        socket.off('close', release)
        leavePlace()
        stopOwn?.()
      }
      // A pipelined stream gets no `close` of its own, so each stream listens to the socket; there
      // may be as many as one owner may have.
      socket.setMaxListeners(0)
      socket.once('close', release)
      if (out !== socket) out.once('close', release)
      add(stream, schema, source)
      stopOwn = source.own((event) => write(stream, formatEvent(z.parse(schema, event))))
    },
    count: () => streams.size,
    closeAll() {
      for (const stream of streams) end(stream)
    },
  }
}

async function checkDue(streams: Set<Stream>, heartbeatMs: number, log: Log): Promise<void> {
  const nowMs = performance.now()
  let count = 0
  for (const stream of streams) {
    if (nowMs - stream.checkedAtMs < heartbeatMs) return
    stream.checkedAtMs = nowMs
    streams.delete(stream)
    streams.add(stream)
    void check(stream, log)
    count += 1
    if (count % STREAMS_PER_SLICE === 0) await nextTick()
  }
}

async function check(stream: Stream, log: Log): Promise<void> {
  try {
    if (await stream.isStillOpen()) write(stream, HEARTBEAT)
    else end(stream)
  } catch (fault) {
    log.warn({ fault }, 'A live stream was ended because its session could not be checked')
    end(stream)
  }
}

/** The reply ends with its connection, so what follows its head is written as it is. */
function begin(reply: FastifyReply): void {
  reply.hijack()
  const { raw } = reply
  raw.useChunkedEncodingByDefault = false
  // A list is written as it is, and not kept with the stream.
  const headers = Object.entries({ ...reply.getHeaders(), ...streamHeaders })
  raw.writeHead(200, headers.flat() as OutgoingHttpHeader[])
  raw.write(GREETING)
}

function end({ out, release }: Stream): void {
  if ('destroySoon' in out) out.destroySoon()
  else out.end()
  release()
}

function write({ out, socket }: Stream, text: Buffer): void {
  // The stream may have ended while its session was being checked.
  if (out.writableEnded) return
  if (out.writableLength > UNREAD_BYTES_MAX) socket.destroy()
  else out.write(text)
}

/**
 * Writes a text to all streams, a few in each pass of the event loop, so that other calls are
 * answered meanwhile. If several texts with one name wait until the previous one is written to all,
 * only the last is sent.
 */
function createBroadcast(streams: ReadonlySet<Stream>): (name: string, text: Buffer) => void {
  const waiting = new Map<string, Buffer>()
  let isWriting = false

  async function writeWaiting(): Promise<void> {
    isWriting = true
    for (const [name, text] of waiting) {
      waiting.delete(name)
      let count = 0
      // A copy of the present streams: a heartbeat moves each to the end, where it would be written
      // to twice.
      for (const stream of Array.from(streams)) {
        write(stream, text)
        count += 1
        if (count % STREAMS_PER_SLICE === 0) await nextTick()
      }
    }
    isWriting = false
  }

  return (name, text) => {
    waiting.set(name, text)
    if (!isWriting) void writeWaiting()
  }
}

/** Limits the streams of each owner. The function that it returns releases the place. */
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

/** The event's name is its `type`. JSON contains no line breaks. */
function formatEvent(event: unknown): Buffer {
  return Buffer.from(`event: ${nameOf(event)}\ndata: ${JSON.stringify(event)}\n\n`)
}

function nameOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event
    ? String(event.type)
    : 'message'
}
