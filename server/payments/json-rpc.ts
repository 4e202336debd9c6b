import { type Secret, Unavailable } from '#server/services.ts'

/** A node that speaks JSON-RPC over HTTP. */
export type JsonRpc = {
  /** The node's host, for sentences: the whole address often holds a key. */
  host: string
  /**
   * Calls a method and gives its result unchecked. Throws {@link RpcRefused} where the node answers
   * with an error of the protocol, and `Unavailable` where no proper answer came in time.
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

/** The node understood the call and refused it. */
export class RpcRefused extends Unavailable {}

const DETAIL_LENGTH_MAX = 200

/** @param url An http or https address; a user and password in it are sent as a header. */
export function createJsonRpc(url: Secret, timeoutMs: number): JsonRpc {
  const { host } = new URL(url.reveal())
  let calls = 0
  return {
    host,
    async call(method, params) {
      calls += 1
      const id = calls
      const text = await post(url, JSON.stringify({ jsonrpc: '2.0', id, method, params }), {
        timeoutMs,
        what: `The node at ${host}`,
        method,
      })
      const answer = parseAnswer(text, id)
      if (answer === null) throw new Unavailable(`The node at ${host} answers ${method} garbled`)
      if ('result' in answer) return answer.result
      throw new RpcRefused(`The node at ${host} refuses ${method}: ${answer.detail}`)
    },
  }
}

type Post = { timeoutMs: number; what: string; method: string }

async function post(url: Secret, body: string, { timeoutMs, what, method }: Post): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  const send = async () => {
    const reply = await fetch(...requestOf(url, body, signal))
    return { reply, text: await reply.text() }
  }
  try {
    // A connection that was kept open may be closed just as it is used again: once is no fault.
    const { reply, text } = await send().catch((error: unknown) => {
      if (signal.aborted) throw error
      return send()
    })
    // Some nodes send errors of the protocol with a status of their own; they are read like others.
    if (reply.ok || isRecord(parseJson(text))) return text
    throw new Unavailable(`${what} answers ${method} with status ${reply.status}`)
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const why = signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached'
    // What went wrong below is not passed on, since it may hold the whole address.
    throw new Unavailable(`${what} ${why} (${method})`)
  }
}

function requestOf(url: Secret, body: string, signal: AbortSignal): [URL, RequestInit] {
  const target = new URL(url.reveal())
  const { username, password } = target
  target.username = ''
  target.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    'content-type': 'application/json',
    ...(username !== '' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  }
  return [target, { method: 'POST', body, headers, signal, redirect: 'error' }]
}

function parseAnswer(text: string, id: number): { result: unknown } | { detail: string } | null {
  const answer = parseJson(text)
  if (!isRecord(answer)) return null
  const { error, result } = answer
  if (error !== undefined && error !== null) {
    const said = isRecord(error) ? error['message'] : error
    const detail = typeof said === 'string' ? said : JSON.stringify(error)
    return { detail: detail.replaceAll(/\s+/g, ' ').slice(0, DETAIL_LENGTH_MAX) }
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
