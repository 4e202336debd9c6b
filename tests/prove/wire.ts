import { Agent, request } from 'node:http'

/** A request as it is sent, byte for byte but for what a client has to add. */
export type Sent = {
  method: string
  /** With its query, unchanged. */
  path: string
  headers: Readonly<Record<string, string | string[]>>
  body: Buffer | null
}

export type Received = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

const REPLY_WITHIN_MS = 30_000
/** As long as a stream of events is listened to. */
const LISTEN_MS = 30

/** Sends requests over connections that stay open; rejects where no reply comes. */
export function createWire(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: (sent: Sent): Promise<Received> => send(agent, port, sent),
    close: () => agent.destroy(),
  }
}

export type Wire = ReturnType<typeof createWire>

export async function send(
  agent: Agent,
  port: number,
  sent: Sent,
  withinMs = REPLY_WITHIN_MS,
): Promise<Received> {
  const { method, path, headers, body } = sent
  return await new Promise<Received>((resolve, reject) => {
    const asking = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
    })
    const giveUp = setTimeout(() => {
      asking.destroy(new Error(`No reply within ${withinMs} ms`))
    }, withinMs)
    asking.once('error', (fault) => {
      clearTimeout(giveUp)
      reject(fault)
    })
    asking.once('response', (reply) => {
      const chunks: Buffer[] = []
      const done = () => {
        clearTimeout(giveUp)
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        })
      }
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', done)
      reply.once('error', (fault) => {
        clearTimeout(giveUp)
        reject(fault)
      })
      const isStream = String(reply.headers['content-type']).startsWith('text/event-stream')
      if (!isStream || method === 'HEAD') return
      setTimeout(() => {
        done()
        asking.destroy()
      }, LISTEN_MS)
    })
    asking.end(body ?? undefined)
  })
}
