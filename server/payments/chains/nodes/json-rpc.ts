import { type ExactJson, parseExactJson } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { ANSWER_MB_MAX, type PostReply, type PostRequest, postTwice } from './rpc-post.ts'

export type JsonRpc = {
  /** The node's host, for messages: the whole address often contains a key. */
  host: string
  /**
   * Calls a method and returns its result unchecked. Throws {@link RpcRefused} if the node answers
   * with a protocol error, and `Unavailable` if no proper answer came in time.
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Like `call`, with every number of the result as it was written. */
  callExactly(method: string, params: readonly unknown[]): Promise<ExactJson>
  /**
   * Calls a method several times in one request. If the node refuses a call, its result is an
   * {@link RpcRefused}.
   */
  callEach(method: string, calls: readonly (readonly unknown[])[]): Promise<readonly unknown[]>
}

/** The node understood the call and refused it. */
export class RpcRefused extends Unavailable {
  /** The error code; null if the node sends none. */
  readonly code: number | null
  /** The node's own message. */
  readonly detail: string

  constructor(message: string, code: number | null, detail = message) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** Null if the node refuses to answer, for a reason that is expected. */
export async function unlessRefused<Answer>(
  answer: Promise<Answer>,
  isExpected: (refusal: RpcRefused) => boolean = () => true,
): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefused && isExpected(error)) return null
    throw error
  }
}

const DETAIL_LENGTH_MAX = 200
const TOO_MANY_REQUESTS = 429

/**
 * @param url An http or https address; a user and password in it are sent as a header.
 * @param send How a call is sent: again if a connection breaks, or once and patiently.
 */
export function createJsonRpc(
  url: Secret,
  timeoutMs: number,
  send: (request: PostRequest) => Promise<PostReply> = postTwice,
  answerMbMax = ANSWER_MB_MAX,
): JsonRpc {
  const { host } = new URL(url.reveal())
  const what = `The node at ${host}`
  let calls = 0

  /** `callExactly` keeps numbers as text, so the id must be text from the start. */
  const callOf = (method: string, params: readonly unknown[], isExact = false) => {
    calls += 1
    return { jsonrpc: '2.0', id: isExact ? String(calls) : calls, method, params }
  }
  const post = async (method: string, body: unknown) =>
    await postFor(url, JSON.stringify(body), { timeoutMs, what, method, send, answerMbMax })
  const garbled = (method: string) =>
    new Unavailable(`${what} sends an unreadable answer to ${method}`)

  function resultOf(method: string, answer: unknown, id: number | string): unknown {
    const read = readAnswer(answer, id)
    if (read === null) throw garbled(method)
    if ('result' in read) return read.result
    return new RpcRefused(`${what} refuses ${method}: ${read.detail}`, read.code, read.detail)
  }

  function unlessRefused<Result>(result: Result): Result {
    if (result instanceof RpcRefused) throw result
    return result
  }

  return {
    host,
    async call(method, params) {
      const call = callOf(method, params)
      return unlessRefused(resultOf(method, parseJson(await post(method, call)), call.id))
    },
    async callExactly(method, params) {
      const call = callOf(method, params, true)
      const answer = parseExactJson(await post(method, call))?.value
      return unlessRefused(resultOf(method, answer, call.id)) as ExactJson
    },
    async callEach(method, list) {
      const batch = list.map((params) => callOf(method, params))
      if (batch.length === 0) return []
      const answers = parseJson(await post(method, batch))
      if (!Array.isArray(answers)) throw garbled(method)
      const byId = new Map(
        answers.map((answer) => [isRecord(answer) ? answer['id'] : null, answer]),
      )
      return batch.map(({ id }) => resultOf(method, byId.get(id), id))
    },
  }
}

type Post = {
  timeoutMs: number
  what: string
  method: string
  send(request: PostRequest): Promise<PostReply>
  answerMbMax: number
}

async function postFor(url: Secret, body: string, post: Post): Promise<string> {
  const { timeoutMs, what, method, send, answerMbMax } = post
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { status, text } = await send({ ...requestOf(url), body, signal, answerMbMax })
    if (text === null) {
      throw new Unavailable(`${what} answers ${method} with more than ${answerMbMax} MB`)
    }
    if (status >= 200 && status < 300) return text
    // Some nodes send protocol errors with their own HTTP status; these are read like others.
    // Throttling, however, is not a refusal of this call.
    if (status !== TOO_MANY_REQUESTS && isRecord(parseJson(text))) return text
    throw new Unavailable(`${what} answers ${method} with status ${status}`)
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const why = signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached'
    // The cause is not passed on, since it may contain the whole address.
    throw new Unavailable(`${what} ${why} (${method})`)
  }
}

function requestOf(url: Secret): Pick<PostRequest, 'target' | 'headers'> {
  const target = new URL(url.reveal())
  const { username, password } = target
  target.username = ''
  target.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    'content-type': 'application/json',
    ...(username !== '' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  }
  return { target, headers }
}

function readAnswer(
  answer: unknown,
  id: number | string,
): { result: unknown } | { detail: string; code: number | null } | null {
  if (!isRecord(answer)) return null
  const { error, result } = answer
  if (error !== undefined && error !== null) {
    const message = isRecord(error) ? error['message'] : error
    const code = isRecord(error) ? error['code'] : null
    const detail = typeof message === 'string' ? message : JSON.stringify(error)
    return {
      detail: detail.replaceAll(/\s+/g, ' ').slice(0, DETAIL_LENGTH_MAX),
      code: typeof code === 'number' ? code : null,
    }
  }
  return answer['id'] === id && result !== undefined ? { result } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
