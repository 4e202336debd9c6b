import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PlayedCall = {
  method: string
  /** With its query. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** The reply: a status with a text, or `silence` for a connection that ends without any. */
export type PlayedAnswer =
  | { status: number; text: string; headers?: Record<string, string> }
  | 'silence'

/** Our own server that simulates somebody else's. */
export type PlayedServer = {
  url: string
  /** Every call so far. */
  calls: PlayedCall[]
  /** The reply without a fault. */
  play(call: PlayedCall): PlayedAnswer
  /** Replies instead of the simulation; null lets the simulation reply. */
  fault: ((call: PlayedCall) => PlayedAnswer | null | Promise<PlayedAnswer | null>) | null
  stop(): Promise<void>
}

export async function startPlayedServer(
  play: (call: PlayedCall) => PlayedAnswer,
): Promise<PlayedServer> {
  const played: PlayedServer = { url: '', calls: [], fault: null, play, stop: async () => {} }
  const server = await startLocalServer(async (request, body, response) => {
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body }
    played.calls.push(call)
    const own = (await played.fault?.(call)) ?? null
    const answer = own ?? play(call)
    if (answer === 'silence') {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.text)
  })
  return Object.assign(played, server)
}

type LocalServer = { url: string; stop(): Promise<void> }

type Reply = (
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) => void | Promise<void>

/** A server of ours on a free port of this machine; it gets each call with its whole body. */
export async function startLocalServer(reply: Reply): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      await reply(request, body, response)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
