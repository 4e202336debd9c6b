import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a node answers to a call: a result, an error of the protocol, or a bare HTTP status. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string } } | number

/**
 * Answers a call in the node's place. `ask` gives what the node itself would have answered.
 */
export type Intercept = (
  method: string,
  params: readonly unknown[],
  ask: () => Promise<RpcAnswer>,
) => Promise<RpcAnswer>

/** Stands between the server and a node, and can make that node lie, tire or fall silent. */
export type RpcProxy = {
  url: string
  /** How often each method was called since the last look. */
  calls: Map<string, number>
  /** Null lets everything through. */
  intercept: Intercept | null
  stop(): Promise<void>
}

export async function startRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  const proxy: RpcProxy = { url: '', calls: new Map(), intercept: null, stop: async () => {} }
  const server = createServer((request, response) => {
    void (async () => {
      const { id, method, params } = JSON.parse(await textOf(request)) as Call
      proxy.calls.set(method, (proxy.calls.get(method) ?? 0) + 1)
      const ask = () => askNode(nodeUrl, { id, method, params })
      const answer = await (proxy.intercept?.(method, params, ask) ?? ask())
      response.statusCode = typeof answer === 'number' ? answer : 200
      response.setHeader('content-type', 'application/json')
      response.end(
        typeof answer === 'number' ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...answer }),
      )
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return proxy
}

type Call = { id: number; method: string; params: readonly unknown[] }

async function askNode(url: string, call: Call): Promise<RpcAnswer> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...call }),
  })
  return (await reply.json()) as RpcAnswer
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
