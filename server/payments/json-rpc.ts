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
  const target = new URL(url.reveal())
  const { username, password } = target
  target.username = ''
  target.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    'content-type': 'application/json',
    ...(username !== '' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  }
  let reply: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    reply = await fetch(target, { method: 'POST', body, headers, signal, redirect: 'error' })
    text = await reply.text()
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const why = isLate ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached'
    throw new Unavailable(`${what} ${why} (${method})`)
  }
  // Some nodes send errors of the protocol with a status of their own; those are read like others.
  if (reply.ok || isRecord(parseJson(text))) return text
  throw new Unavailable(`${what} answers ${method} with status ${reply.status}`)
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
