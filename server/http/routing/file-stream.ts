import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'

import { Refusal } from '#domain/refusal.ts'

import type { SentFile } from './implement.ts'

/** A reader occupies a database connection, so one that stalls is disconnected. */
const STALL_MAX_MS = 10_000
/** Of an instance's ten connections to its database: buyers need the others. */
const READERS_MAX = 4
let readers = 0

/** Refuses with `Busy` while there is no place for another reader. */
export function requirePlace(): void {
  if (readers < READERS_MAX) return
  const message = 'Others are downloading files. Try again in 10 seconds'
  throw new Refusal('Busy', { message, retryAfterSeconds: 10 })
}

/** Takes one of the few places for readers until the source ends. Refuses with `Busy`. */
export async function* inPlace<Part>(source: AsyncGenerator<Part>): AsyncGenerator<Part> {
  requirePlace()
  readers += 1
  try {
    yield* source
  } finally {
    readers -= 1
  }
}

/**
 * Sends a file as it is made. Its first text is made before anything is sent, so that a fault there
 * gets an error reply. A later fault breaks the connection, so that no truncated reply looks
 * complete.
 */
export async function sendFile(reply: FastifyReply, { name, mediaType, texts: made }: SentFile) {
  const texts = inPlace(made)
  const first = await texts.next()
  async function* all(): AsyncGenerator<string> {
    if (first.done !== true) yield first.value
    yield* texts
  }
  return sendTexts(reply, { name, mediaType }, all(), () => void texts.return(undefined))
}

/** Streams texts as a file; `stop` ends their source, however the reply ends. */
export function sendTexts(
  reply: FastifyReply,
  { name, mediaType }: Pick<SentFile, 'name' | 'mediaType'>,
  texts: AsyncGenerator<string>,
  stop: () => void,
): FastifyReply {
  const stalled = new AbortController()
  const stream = Readable.from(endWhereStalled(texts, stalled), {
    objectMode: false,
    signal: stalled.signal,
  })
  // Also if the client disconnected before the first text.
  stream.once('close', stop)
  return reply
    .code(200)
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(mediaType)
    .send(stream)
}

/** Aborts if the client reads nothing for too long. */
async function* endWhereStalled(
  texts: AsyncGenerator<string>,
  stalled: AbortController,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(() => stalled.abort(), STALL_MAX_MS)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}
