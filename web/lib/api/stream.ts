import { createParser } from 'eventsource-parser'
import * as z from 'zod/mini'
import type { Endpoint, EventOf, InputOf } from '#contract/endpoint.ts'
import { faultOf, send, CallError } from './call.ts'
import { isServerThere, onPageChange, pauseBeforeRetry, retryMs } from './stream-retry.ts'

/**
 * The server sends at least a comment every 15 seconds; after two missing ones the connection
 * counts as dead, and sooner when the user returns to the page.
 */
const SILENCE_MOST_MS = 40_000
const SILENCE_AT_RETURN_MS = 20_000
/** A connection that does not open in this time is given up. */
const OPEN_TIMEOUT_MS = 10_000
/** A connection that ends sooner than this counts as one more failure. */
const STEADY_MS = 5000

interface StreamOptions<E extends Endpoint> {
  endpoint: E
  input: InputOf<E>
  /** A token that is valid now; `refused` is one that the server has just turned down. */
  getAccessToken: (refused?: string) => Promise<string>
  onEvent: (event: EventOf<E>) => void
  /** Called at each connection: earlier changes have to be fetched. */
  onOpen: () => void
  /** Called if the server will not open the stream now. */
  onRefused: (refusal: CallError) => void
  /** Called whenever a connection has ended, and whenever one could not be made. */
  onLost: () => void
  signal: AbortSignal
}

/**
 * Reads the server's events until the signal aborts, and connects again, after growing pauses,
 * whenever the connection ends.
 */
export async function readStream<E extends Endpoint>(options: StreamOptions<E>): Promise<void> {
  const { signal, getAccessToken, onOpen, onRefused, onLost } = options
  let openedAtMs: number | null = null
  const noteOpen = () => {
    openedAtMs = performance.now()
    onOpen()
  }
  let failures = 0
  let accessToken: string | undefined
  let refused: string | undefined
  while (!signal.aborted) {
    openedAtMs = null
    let leastMs = 0
    try {
      if (failures === 0 || (await isServerThere(signal))) {
        accessToken = await getAccessToken(refused)
        refused = undefined
        await readOnce({ ...options, onOpen: noteOpen }, accessToken)
      }
    } catch (error) {
      if (error instanceof CallError && error.code === 401) refused = accessToken
      if (error instanceof CallError) onRefused(error)
      if (error instanceof CallError) leastMs = (error.retryAfterSeconds ?? 0) * 1000
    }
    if (signal.aborted) return
    onLost()
    failures = isSteady(openedAtMs) ? 1 : failures + 1
    await pauseBeforeRetry(Math.max(leastMs, retryMs(failures, Math.random())), signal)
  }
}

function isSteady(openedAtMs: number | null): boolean {
  return openedAtMs !== null && performance.now() - openedAtMs >= STEADY_MS
}

/** Resolves when the server ends the stream; rejects when it is refused, cut off or silent. */
async function readOnce<E extends Endpoint>(
  { endpoint, input, onEvent, onOpen, signal }: StreamOptions<E>,
  accessToken: string,
): Promise<void> {
  const dead = new AbortController()
  const die = () => dead.abort()
  const either = AbortSignal.any([signal, dead.signal])
  let heardAtMs = performance.now()
  let timer = setTimeout(die, OPEN_TIMEOUT_MS)
  const hear = () => {
    heardAtMs = performance.now()
    clearTimeout(timer)
    timer = setTimeout(die, SILENCE_MOST_MS)
  }
  try {
    const response = await send(endpoint, input, { accessToken, signal: either })
    if (!response.ok)
      throw new CallError(faultOf(await response.json().catch(() => undefined), response.headers))
    if (response.body === null) return
    const dieIfSilent = () => {
      if (performance.now() - heardAtMs > SILENCE_AT_RETURN_MS) die()
    }
    // After a change of network the old connection may be dead without either end noticing.
    onPageChange({ online: die, offline: die, visible: dieIfSilent }, either)
    hear()
    onOpen()
    const parser = createParser({
      onEvent: (message) => {
        const event = parseEvent(endpoint, message.data)
        if (event !== null) onEvent(event)
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      hear()
      parser.feed(value)
    }
  } finally {
    clearTimeout(timer)
    die()
  }
}

/** Null for an event that this version of the page does not know. */
function parseEvent<E extends Endpoint>(endpoint: E, data: string): EventOf<E> | null
function parseEvent(endpoint: Endpoint, data: string): unknown {
  if (endpoint.events === undefined) return null
  try {
    const parsed = z.safeParse(endpoint.events, JSON.parse(data))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
