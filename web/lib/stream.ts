import type { Endpoint, EventOf, InputOf } from '#contract/endpoint.ts'
import { createParser } from 'eventsource-parser'
import * as z from 'zod/mini'
import { faultOf, send } from './call.ts'
import { CallError } from './call-error.ts'

const RETRY_FIRST_MS = 1000
const RETRY_MOST_MS = 30_000
/** The server sends at least a comment this often; without one the connection counts as dead. */
const SILENCE_MOST_MS = 60_000

interface StreamOptions<E extends Endpoint> {
  endpoint: E
  input: InputOf<E>
  /** A token that is good now; `refused` is one the server has just turned down. */
  getAccessToken: (refused?: string) => Promise<string>
  onEvent: (event: EventOf<E>) => void
  /** Called at each connection: what happened while there was none has to be asked for. */
  onOpen: () => void
  signal: AbortSignal
}

/**
 * Reads the server's events until the signal aborts, and connects again, after growing pauses,
 * whenever the connection ends. Resolves when the signal aborts or there is no session any more.
 */
export async function readStream<E extends Endpoint>(options: StreamOptions<E>): Promise<void> {
  const { signal, getAccessToken } = options
  let failures = 0
  let refused: string | undefined
  while (!signal.aborted) {
    const accessToken = await getAccessToken(refused).catch(() => null)
    if (accessToken === null || signal.aborted) return
    refused = undefined
    try {
      await readOnce(options, accessToken, () => (failures = 0))
    } catch (error) {
      if (error instanceof CallError && error.code === 401) refused = accessToken
    }
    failures += 1
    await pause(retryMs(failures), signal)
  }
}

/** Twice as long after each failure, and never quite the same for all who were cut off at once. */
function retryMs(failures: number): number {
  const most = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** (failures - 1))
  return most * (0.5 + Math.random() / 2)
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, durationMs)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

async function readOnce<E extends Endpoint>(
  { endpoint, input, onEvent, onOpen, signal }: StreamOptions<E>,
  accessToken: string,
  onAlive: () => void,
): Promise<void> {
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  const response = await send(endpoint, input, { accessToken, signal: either })
  if (!response.ok)
    throw new CallError(faultOf(await response.json().catch(() => undefined), response.headers))
  if (response.body === null) return
  onOpen()
  const parser = createParser({
    onEvent: (message) => {
      const event = parseEvent(endpoint, message.data)
      if (event !== null) onEvent(event)
    },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      timer = setTimeout(() => silence.abort(), SILENCE_MOST_MS)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      onAlive()
      parser.feed(value)
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
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
