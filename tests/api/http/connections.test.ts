import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/error-body.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const CONNECTIONS_MAX = 3

let kit: TestApp
let port: number
const sockets: Socket[] = []
beforeAll(async () => {
  kit = await startApp({ app: { connectionsMax: CONNECTIONS_MAX } })
  port = Number(new URL(await kit.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(async () => {
  const open = sockets.splice(0).filter(({ closed }) => !closed)
  const closed = open.map((socket) => once(socket, 'close'))
  for (const socket of open) socket.destroy()
  await Promise.all(closed)
})
afterAll(() => kit.close())

function open(): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  sockets.push(socket)
  return socket
}

/** Everything that comes until the server closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = open()
  socket.write(text)
  let reply = ''
  for await (const part of socket) reply += String(part)
  return reply
}

const headOf = (reply: string) => reply.split('\r\n\r\n')[0] ?? ''
const bodyOf = (reply: string) => z.parse(ErrorBody, JSON.parse(reply.split('\r\n\r\n')[1] ?? ''))

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  [
    'a length and a transfer coding',
    chunked('content-length: 5\r\ntransfer-encoding: chunked'),
    400,
  ],
  ['two lengths', chunked('content-length: 5\r\ncontent-length: 6'), 400],
  ['a folded header', `GET / HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n`, 400],
  ['lines without a carriage return', 'GET / HTTP/1.1\nhost: x\n\n', 400],
  [
    'headers beyond all measure',
    `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
])('a request with %s is refused in the form of all refusals', async (_, text, status) => {
  const reply = await exchange(text)
  expect(headOf(reply)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(bodyOf(reply)).toMatchObject({ code: status, reason: 'MalformedBody' })
  const requestId = /x-request-id: (\S+)/i.exec(headOf(reply))?.[1]
  expect(bodyOf(reply).request_id).toBe(requestId)
  expect(headOf(reply)).toMatch(/content-type: application\/json; charset=utf-8/i)
  expect(headOf(reply)).toMatch(/x-content-type-options: nosniff/i)
  expect(headOf(reply)).toMatch(/cache-control: no-store/i)
  expect(headOf(reply)).toMatch(/connection: close/i)
})

function chunked(lengths: string): string {
  const head = `POST ${API_BASE}/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json`
  return `${head}\r\n${lengths}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`
}

test('an expectation that nobody knows is ignored, as the standard allows', async () => {
  const head = `GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: something-else\r\nconnection: close`
  const reply = await exchange(`${head}\r\n\r\n`)
  expect(headOf(reply)).toMatch(/^HTTP\/1.1 200 /)
  expect(headOf(reply)).toMatch(/x-request-id: /)
})

test('one connection too many is closed at once, and taken when another has gone', async () => {
  const first = Array.from({ length: CONNECTIONS_MAX }, open)
  const asked = await Promise.all(first.map(ask))
  expect(asked).toEqual(first.map(() => 'HTTP/1.1 200 OK'))
  const refused = open()
  refused.on('error', () => {})
  await once(refused, 'close')
  expect(refused.bytesRead).toBe(0)

  const [left] = first
  left?.destroy()
  await expect.poll(countOpen).toBe(CONNECTIONS_MAX - 1)
  expect(await ask(open())).toBe('HTTP/1.1 200 OK')
})

const countOpen = () =>
  new Promise<number>((resolve, reject) => {
    kit.app.server.getConnections((fault, count) =>
      fault === null ? resolve(count) : reject(fault),
    )
  })

async function ask(socket: Socket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const [text] = await once(socket, 'data')
  return String(text).split('\r\n')[0] ?? ''
}

test('a connection that is silent is not kept', () => {
  const { headersTimeout, requestTimeout, timeout } = kit.app.server
  expect(headersTimeout).toBe(10_000)
  expect(requestTimeout).toBe(15_000)
  expect(timeout).toBe(20_000)
})

test('a call that waits for its turn is answered, however silent its connection is', async () => {
  const { server } = kit.app
  const usual = server.timeout
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse 1' })
  const call =
    `POST ${API_BASE}/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`
  let reply = ''
  await expect.poll(countOpen, { message: 'those of other tests have gone' }).toBe(0)
  await kit.open.database.transaction().execute(async (transaction) => {
    await sql`lock table rate_limits in access exclusive mode`.execute(transaction)
    server.timeout = 50
    const asking = open().on('data', (text: string) => (reply += text))
    await once(asking, 'connect')
    asking.write(call)
    // One that asks for nothing and came later is closed for its silence.
    await once(open(), 'close')
    server.timeout = usual
  })
  await expect.poll(() => reply, { timeout: 10_000 }).toMatch(/^HTTP\/1.1 401 /)
})
