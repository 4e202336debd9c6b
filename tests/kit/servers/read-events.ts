import { type LiveEvent, transactionsContract } from '#contract/transactions.ts'
import { API_BASE } from '#contract/endpoint.ts'
import { createParser } from 'eventsource-parser'
import * as z from 'zod/mini'

export type EventReader = {
  /** Waits for the next event of the matching type, skipping other types, which are kept. */
  next<Type extends LiveEvent['type']>(
    type: Type,
    fits?: (event: Extract<LiveEvent, { type: Type }>) => boolean,
  ): Promise<Extract<LiveEvent, { type: Type }>>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close(): void
}

/** Listens to a server's live events as a web page does. */
export async function readEvents(address: string, accessToken: string): Promise<EventReader> {
  const closing = new AbortController()
  const { path, events: schema } = transactionsContract.streamEvents
  const reply = await fetch(`${address}${API_BASE}${path}`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: closing.signal,
  })
  const type = reply.headers.get('content-type')
  if (reply.body === null || type !== 'text/event-stream; charset=utf-8') {
    await reply.body?.cancel()
    throw new Error(`No stream of events, but a ${reply.status} of ${type}.`)
  }
  let arrived: LiveEvent[] = []
  const waiting = new Set<() => void>()
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const parsed = z.parse(schema, JSON.parse(data))
      if (parsed.type !== event) throw new Error(`The event ${event} says it is ${parsed.type}.`)
      arrived.push(parsed)
      for (const wake of waiting) wake()
    },
  })
  const ended = readAll(reply.body, (text) => parser.feed(text))
  return {
    next: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const ofType = arrived.filter((event) => event.type === type)
          const event = ofType.find((candidate) => fits(candidate as never))
          if (event === undefined) return
          waiting.delete(look)
          const passed = new Set(ofType.slice(0, ofType.indexOf(event) + 1))
          arrived = arrived.filter((other) => !passed.has(other))
          resolve(event as never)
        }
        waiting.add(look)
        look()
      }),
    ended,
    close: () => closing.abort(),
  }
}

async function readAll(body: ReadableStream<Uint8Array>, feed: (text: string) => void) {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) feed(decoder.decode(chunk, { stream: true }))
  } catch (fault) {
    if (!(fault instanceof Error && fault.name === 'AbortError')) throw fault
  }
}
