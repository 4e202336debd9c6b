import fastify, { type FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { addConnectionBounds } from './connections.ts'

/** More than the system takes for a client that reads nothing. */
const MUCH = Buffer.alloc(16 * 1024 * 1024)
const CHECK_EVERY_MS = 5_000

let app: FastifyInstance
let port: number
const replies: ServerResponse[] = []
const clients: Socket[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  app = fastify()
  addConnectionBounds(app, null)
  app.get('/', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200)
    replies.push(reply.raw)
  })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  replies.splice(0)
  vi.useRealTimers()
  await app.close()
})

async function openStream(isReading: boolean): Promise<ServerResponse> {
  const client = connect(port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  if (isReading) client.resume()
  else client.pause()
  await expect.poll(() => replies.length).toBe(clients.length)
  return replies.at(-1) as ServerResponse
}

test('a stream that nobody reads is closed, although more is written to it again and again', async () => {
  const unread = await openStream(false)
  const read = await openStream(true)
  unread.write(MUCH)
  for (let checks = 0; checks < 6; checks += 1) {
    unread.write('still here\n')
    read.write('still here\n')
    await expect.poll(() => read.writableLength).toBe(0)
    vi.advanceTimersByTime(CHECK_EVERY_MS)
  }
  await expect.poll(() => unread.destroyed).toBe(true)
  expect(read.destroyed).toBe(false)
})

test('one that was silent for long is not closed for what was written a moment ago', async () => {
  const late = await openStream(false)
  for (let checks = 0; checks < 6; checks += 1) vi.advanceTimersByTime(CHECK_EVERY_MS)
  late.write(MUCH)
  vi.advanceTimersByTime(CHECK_EVERY_MS)
  expect(late.socket?.destroyed).toBe(false)
})
