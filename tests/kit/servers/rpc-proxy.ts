import { startLocalServer } from './played-server.ts'

/**
 * What a node replies to a call: a result, a protocol error (with its own HTTP status if one is
 * given), or a bare HTTP status.
 */
export type RpcAnswer =
  | { result: unknown }
  | { error: { code: number; message: string }; status?: number }
  | number

/** Replies in the node's place. `ask` returns what the node itself would have replied. */
export type Intercept = (
  method: string,
  params: readonly unknown[],
  ask: () => Promise<RpcAnswer>,
) => Promise<RpcAnswer>

/** Changes what passes through, as text. */
export type Translation = { call(text: string): string; answer(text: string): string }

/**
 * A proxy between the server and a node, which can make that node lie, slow down or fall silent.
 */
export type RpcProxy = {
  url: string
  /** How often each method was called since the last check. */
  calls: Map<string, number>
  /** Null lets everything through. */
  intercept: Intercept | null
  stop(): Promise<void>
}

/** @param nodeUrl Including the login, if the node wants one; the proxy wants none. */
export async function startRpcProxy(
  nodeUrl: string,
  translation: Translation | null = null,
): Promise<RpcProxy> {
  const proxy: RpcProxy = { url: '', calls: new Map(), intercept: null, stop: async () => {} }

  async function answer({ id, method, params }: Call): Promise<RpcAnswer> {
    proxy.calls.set(method, (proxy.calls.get(method) ?? 0) + 1)
    const ask = () => askNode(nodeUrl, { id, method, params })
    return await (proxy.intercept?.(method, params, ask) ?? ask())
  }

  async function reply(text: string): Promise<{ status: number; body: string }> {
    const asked = JSON.parse(translation?.call(text) ?? text) as Call | Call[]
    const answers: { id: Call['id']; answer: RpcAnswer }[] = []
    for (const call of [asked].flat()) {
      answers.push({ id: call.id, answer: await answer(call) })
    }
    const failed = answers.find((each) => typeof each.answer === 'number')
    if (typeof failed?.answer === 'number') return { status: failed.answer, body: '' }
    const status = answers.map((each) => statusOf(each.answer)).find((each) => each !== OK) ?? OK
    const replies = answers.map((each) => ({ jsonrpc: '2.0', id: each.id, ...Object(each.answer) }))
    const whole = JSON.stringify(Array.isArray(asked) ? replies : replies[0])
    return { status, body: translation?.answer(whole) ?? whole }
  }

  const server = await startLocalServer(async (_, asked, response) => {
    const { status, body } = await reply(asked)
    response.statusCode = status
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  return Object.assign(proxy, server)
}

const OK = 200

function statusOf(answer: RpcAnswer): number {
  return typeof answer === 'object' && 'status' in answer ? (answer.status ?? OK) : OK
}

type Call = { id: number | string; method: string; params: readonly unknown[] }

async function askNode(url: string, call: Call): Promise<RpcAnswer> {
  const { origin, pathname, username, password } = new URL(url)
  const login = Buffer.from(`${username}:${password}`).toString('base64')
  const reply = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(username !== '' && { authorization: `Basic ${login}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...call }),
  })
  return (await reply.json()) as RpcAnswer
}
