import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/error-body.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let port: number
const sockets: Socket[] = []
beforeEach(async () => {
  kit = await startApp()
  port = Number(new URL(await kit.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await kit.close()
})

/** Sends the lines of a request over a connection of its own, or over one that is there. */
function send(lines: readonly string[], socket = connect(port, '127.0.0.1')): Socket {
  sockets.push(socket)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8')
  for await (const part of socket) text += String(part)
  return text
}

test.each(['/auth/login', '/webhooks/nowpayments'])(
  'whoever goes away in the middle of a body of %s is no fault of the server',
  async (path) => {
    const asked = once(kit.app.server, 'request')
    const socket = send([
      `POST ${API_BASE}${path} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      'content-length: 1000',
    ])
    socket.write('{"email":')
    const [, response] = await asked
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    // By the time that another call has been to the database, this one is over.
    expect((await kit.app.inject({ url: '/readyz' })).statusCode).toBe(200)
    expect(kit.complaints).toEqual([])
  },
)

test('a call that comes while the server closes gets the time to try again', async () => {
  const [user] = await manyUsers(kit.open.database, 1)
  let closing = Promise.resolve()
  const { reading } = await kit.open.database.transaction().execute(async (transaction) => {
    // One call is under way, and keeps its connection open.
    await sql`lock table sessions in access exclusive mode`.execute(transaction)
    const first = once(kit.app.server, 'request')
    const socket = send([
      `GET ${API_BASE}/auth/two-factor HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${user?.as.accessToken}`,
    ])
    await first
    closing = kit.app.close()
    const second = once(kit.app.server, 'request')
    send([`GET ${API_BASE}/projects/current HTTP/1.1`, 'host: localhost'], socket)
    await second
    return { reading: readAll(socket) }
  })
  const replies = (await reading).split(/(?=HTTP\/1\.1 )/)
  await closing
  expect(replies.map((reply) => reply.slice(9, 12))).toEqual(['200', '502'])
  const [head = '', body = ''] = (replies[1] ?? '').split('\r\n\r\n')
  expect(head).toMatch(/^retry-after: 5$/im)
  expect(head).toMatch(/^x-content-type-options: nosniff$/im)
  expect(z.parse(ErrorBody, JSON.parse(body))).toMatchObject({ code: 502, reason: 'Restarting' })
})

test('a call that has arrived when the server begins to close is answered, read or not', async () => {
  const accepted = once(kit.app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  await Promise.all([accepted, once(socket, 'connect')])
  const reading = readAll(
    send([`GET ${API_BASE}/projects/current HTTP/1.1`, 'host: localhost'], socket),
  )
  // Nothing of it was read so far.
  const closing = kit.app.close()
  expect((await reading).slice(9, 12)).toBe('502')
  await closing
})
