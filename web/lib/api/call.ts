import * as z from 'zod/mini'
import { API_BASE, type Endpoint, type InputOf, type ResultOf } from '#contract/endpoint.ts'
import type { ErrorBody } from '#contract/error-body.ts'
import { noteServerTime } from './server-clock.ts'

export interface CallOptions {
  accessToken?: string | undefined
  signal?: AbortSignal | undefined
  /** No limit if left out, as section 7 of the specification has it. */
  timeoutMs?: number | undefined
}

interface CallInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  body?: unknown
}

/**
 * Makes a call of the contract. The result is validated against its schema. Rejects with a
 * `CallError`, or with `CompletedTooLate` if the caller aborted, whatever the server replies.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<ResultOf<E>> {
  try {
    const result = await resultOf(endpoint, await send(endpoint, input, options))
    options.signal?.throwIfAborted()
    return result
  } catch (error) {
    throw options.signal?.aborted === true ? new CompletedTooLate(error) : error
  }
}

/** The result in a reply. Rejects with a `CallError` if the call was refused. */
export async function resultOf<E extends Endpoint>(
  endpoint: E,
  response: Response,
): Promise<ResultOf<E>> {
  const body = await readJson(response)
  if (!response.ok) throw new CallError(faultOf(body, response.headers))
  return parseResult(endpoint, body)
}

/**
 * Makes a call and returns the raw reply. Rejects with a `CallError`, or with the signal's reason
 * if the caller aborted.
 */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<Response> {
  const { params, query, headers, body }: CallInput = input
  const sentAtMs = Date.now()
  try {
    const response = await fetch(urlOf(endpoint, params, query), {
      method: endpoint.method,
      headers: headersOf(headers, body !== undefined, options.accessToken),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signalOf(options),
      // Public data is requested each time, but sent only if it has changed.
      cache: endpoint.access === 'open' ? 'no-cache' : 'no-store',
    })
    noteServerTime(response.headers, sentAtMs)
    return response
  } catch (error) {
    options.signal?.throwIfAborted()
    throw new CallError(null, error)
  }
}

function urlOf(endpoint: Endpoint, params: CallInput['params'], query: CallInput['query']): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const search = new URLSearchParams()
  for (const [name, text] of textsOf(query)) search.set(name, text)
  return `${API_BASE}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** The parts of an input that go into an address or a header, without those left out. */
function textsOf(part: Record<string, unknown> | undefined): [string, string][] {
  return Object.entries(part ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  )
}

function headersOf(own: CallInput['headers'], hasBody: boolean, accessToken: string | undefined) {
  const headers = new Headers()
  for (const [name, text] of textsOf(own)) headers.set(name, text)
  if (hasBody) headers.set('content-type', 'application/json')
  if (accessToken !== undefined) headers.set('authorization', `Bearer ${accessToken}`)
  return headers
}

function signalOf({ signal, timeoutMs }: CallOptions): AbortSignal | null {
  const signals: AbortSignal[] = []
  if (signal !== undefined) signals.push(signal)
  if (timeoutMs !== undefined) signals.push(AbortSignal.timeout(timeoutMs))
  return signals.length > 0 ? AbortSignal.any(signals) : null
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    throw new CallError(null, error)
  }
}

/**
 * The contract's `ErrorBody` with any reason: a page older than the server shows the message of a
 * reason that it does not know.
 */
const AnyErrorBody = z.object({
  code: z.int(),
  message: z.string(),
  reason: z.custom<ErrorBody['reason']>((reason) => typeof reason === 'string'),
  errors: z.optional(
    z.array(z.object({ path: z.string(), message: z.string(), code: z.optional(z.string()) })),
  ),
  starts_date: z.optional(z.string()),
  is_between_stages: z.optional(z.boolean()),
})

/** What every error body has; specification section 8. */
const LeastErrorBody = z.object({ code: z.int(), message: z.string() })

/** The server's message for a failure; null if the reply has no body. */
export function faultOf(body: unknown, headers: Headers): CallFault | null {
  if (body === undefined) return null
  const parsed = z.safeParse(AnyErrorBody, body)
  if (!parsed.success) return faultOfOther(body)
  const retryAfter = headers.get('retry-after')
  return retryAfter === null
    ? parsed.data
    : { ...parsed.data, retryAfterSeconds: Number(retryAfter) }
}

/** Sent by something in between, such as a proxy. */
function faultOfOther(body: unknown): CallFault {
  const parsed = z.safeParse(LeastErrorBody, body)
  const known = parsed.success ? parsed.data : { code: 500, message: null }
  return { ...known, reason: 'InternalError' }
}

function parseResult<E extends Endpoint>(endpoint: E, body: unknown): ResultOf<E>
function parseResult(endpoint: Endpoint, body: unknown): unknown {
  if (endpoint.result === undefined) return undefined
  const parsed = z.safeParse(endpoint.result, body)
  if (parsed.success) return parsed.data
  throw new CallError(null, parsed.error)
}

type Reason = ErrorBody['reason']

/** How a reply without a readable body from the server is treated; specification section 8. */
export const FALLBACK = {
  code: 500,
  message: 'Internal server error',
  reason: 'InternalError',
} as const

export type CallFault = Omit<z.infer<typeof AnyErrorBody>, 'message'> & {
  /** One sentence for a person; null if the reply has none. */
  message: string | null
  /** Seconds to wait before it is worth trying again. */
  retryAfterSeconds?: number | undefined
}

/** Translates a fault; what it has no words for stays as the server wrote it. */
export type Translate = (fault: CallFault) => CallFault

let translate: Translate | undefined

/**
 * From now on the faults of calls are translated like this; left out, they stay as the server wrote
 * them.
 */
export function translateFaults(by: Translate | undefined): void {
  translate = by
}

/** A call that failed, with the server's error or, without one, as an internal error. */
export class CallError extends Error {
  override name = 'CallError'
  code: number
  reason: Reason
  /** What is wrong with single fields; empty unless the input was refused. */
  errors: { path: string; message: string; code?: string | undefined }[]
  /** When the sale starts, if that is why the call was refused. */
  startsDate: string | null
  /** Whether what starts then is not the first stage. */
  isBetweenStages: boolean
  /** Seconds to wait before trying again, if the server said so. */
  retryAfterSeconds: number | null
  /** False if no answer of the server could be read. */
  isFromServer: boolean
  /** False if there was a reply without a readable error. */
  hasMessage: boolean

  constructor(fault: CallFault | null, cause?: unknown) {
    const english: CallFault = fault ?? FALLBACK
    const known = translate?.(english) ?? english
    super(known.message ?? FALLBACK.message, { cause })
    this.code = known.code
    this.reason = known.reason
    this.errors = known.errors ?? []
    this.startsDate = fault?.starts_date ?? null
    this.isBetweenStages = fault?.is_between_stages ?? false
    this.retryAfterSeconds = fault?.retryAfterSeconds ?? null
    this.isFromServer = fault !== null
    this.hasMessage = known.message !== null
  }
}

/**
 * Rejects a call whose answer nobody waits for any more, usually because a newer one has superseded
 * it (specification section 8). Nothing has failed, and no error is shown.
 */
export class CompletedTooLate extends Error {
  override name = 'CompletedTooLate'

  constructor(cause: unknown) {
    super('Completed too late', { cause })
  }
}

/**
 * What to show for a failure: the server's own message; the fallback if a reply has none, and for
 * anything that did not come from a call. Specification section 8.
 */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof CallError && error.hasMessage ? error.message : fallback
}

/** True if a call was refused for the given reason. */
export function isRefusal(error: unknown, reason: Reason): error is CallError {
  return error instanceof CallError && error.reason === reason
}

const RETRIES = 2

/** A refusal is an answer; only calls that failed in the network or on the server are retried. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false
  return !(error instanceof CallError) || !error.isFromServer || error.code === 500
}
