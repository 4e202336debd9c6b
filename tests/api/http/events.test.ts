import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { API_BASE } from '#contract/endpoint.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { type EventReader, readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let address: string
const readers: EventReader[] = []
beforeAll(async () => {
  kit = await startApp({ app: { heartbeatMs: 50 } })
  address = await kit.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(() => kit.close())

async function listen({ as }: RegisteredUser): Promise<EventReader> {
  const reader = await readEvents(address, as.accessToken)
  readers.push(reader)
  return reader
}

async function buy({ as }: RegisteredUser) {
  const body = { purchase_amount: 100, purchase_token_id: 'eth' }
  const reply = await kit.client.call(
    transactionsContract.createTransaction,
    { headers: {}, body },
    as,
  )
  return reply.body.data
}

/** Asks for streams over one connection, all at once. */
function ask(user: RegisteredUser, count = 1): Socket {
  const socket = connect(placeOf(address))
  writeCall(socket, user, count)
  return socket
}

function placeOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

function writeCall(socket: Socket, { as }: RegisteredUser, count = 1): void {
  const lines = [
    `GET ${API_BASE}${transactionsContract.streamEvents.path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${as.accessToken}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(count))
}

/** Resolves once the server has read a request and noticed that its client is gone. */
async function isLeft(socket: Socket): Promise<void> {
  const [request] = await once(kit.app.server, 'request')
  const closed = once(request.socket, 'close')
  socket.destroy()
  await closed
}

/** How many there are now: figures are kept for a second. */
async function countStreams(): Promise<string | undefined> {
  kit.clock.pass(1_001)
  const { body } = await kit.app.inject({ url: '/metrics' })
  return /^live_streams (\d+)$/m.exec(body)?.[1]
}

describe('live events', () => {
  test('report a purchase from its creation to its end, and the stage it comes from', async () => {
    const user = await aUser(kit)
    const events = await listen(user)
    const made = await buy(user)
    const first = await events.next('transaction')
    expect(first.transaction).toEqual(made)

    await kit.client.call(sandboxContract.pay, {
      body: { address: made.payment_address ?? '', amount: made.payment_amount ?? '' },
    })
    await events.next('transaction', ({ transaction }) => transaction.status === 'processing')
    await kit.client.call(sandboxContract.mineBlocks, { body: { count: 2 } })
    const last = await events.next(
      'transaction',
      ({ transaction }) => transaction.status === 'completed',
    )
    expect(last.transaction.id).toBe(made.id)
    const { stage } = await events.next('stage', ({ stage: seen }) => (seen?.sold_tokens ?? 0) > 0)
    expect(stage?.name).toBe('Stage 1')
  })

  test('never report the purchases of others', async () => {
    const user = await aUser(kit)
    const other = await aUser(kit)
    const events = await listen(other)
    await buy(user)
    const own = await buy(other)
    const seen = await events.next('transaction')
    expect(seen.transaction.id).toBe(own.id)
  })

  test('report a rush of stage changes to everybody at once, and again half a second later', async () => {
    const both = await Promise.all([listen(await aUser(kit)), listen(await aUser(kit))])
    for (let count = 0; count < 50; count += 1) kit.services.live.notifyLocal({ kind: 'stage' })
    const first = await Promise.all(both.map((events) => events.next('stage')))
    const firstAt = performance.now()
    expect(first[0]).toEqual(first[1])
    for (let count = 0; count < 50; count += 1) kit.services.live.notifyLocal({ kind: 'stage' })
    await Promise.all(both.map((events) => events.next('stage')))
    expect(performance.now() - firstAt).toBeGreaterThan(400)
  })

  test('end with the session', async () => {
    const user = await aUser(kit)
    const events = await listen(user)
    await kit.client.call(authContract.logout, {}, user.as)
    await expect(events.ended).resolves.toBeUndefined()
  })

  test('need a login', async () => {
    await expect(readEvents(address, 'nonsense')).rejects.toThrow('a 401 of application/json')
  })

  test('are a dozen streams at most for one user, and a closed one makes room', async () => {
    const user = await aUser(kit)
    for (let count = 0; count < 12; count += 1) await listen(user)
    await expect(listen(user)).rejects.toThrow('a 429')
    readers[0]?.close()
    await expect.poll(() => listen(user).then(() => 'open')).toBe('open')
  })

  test('that were left before they began take up no room', async () => {
    const user = await aUser(kit)
    await expect.poll(countStreams).toBe('0')
    await kit.open.database.transaction().execute(async (transaction) => {
      // Nobody is let in before all have left.
      await sql`lock table sessions in access exclusive mode`.execute(transaction)
      for (let count = 0; count < 12; count += 1) await isLeft(ask(user))
    })
    await listen(user)
    expect(await countStreams()).toBe('1')
  })

  test('that wait behind another on one connection end with it', async () => {
    const user = await aUser(kit)
    await expect.poll(countStreams).toBe('0')
    const socket = ask(user, 12)
    await expect.poll(countStreams).toBe('12')
    socket.destroy()
    await expect.poll(countStreams).toBe('0')
    await listen(user)
  })

  test('end when the client has nothing more to send', async () => {
    const socket = connect({ ...placeOf(address), allowHalfOpen: true })
    writeCall(socket, await aUser(kit))
    await once(socket, 'data')
    socket.resume().end()
    await once(socket, 'end')
    await expect.poll(countStreams).toBe('0')
  })

  test('keep neither their request nor its reply', async () => {
    const kept: WeakRef<object>[] = []
    kit.app.server.once('request', (request: IncomingMessage, response: ServerResponse) =>
      kept.push(new WeakRef(request), new WeakRef(response)),
    )
    await listen(await aUser(kit))
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await expect
      .poll(() => {
        collect()
        return kept.map((one) => one.deref() === undefined)
      })
      .toEqual([true, true])
  })

  test('do not keep the server from closing', async () => {
    const short = await startApp({ open: kit.open })
    const shortAddress = await short.app.listen({ port: 0, host: '127.0.0.1' })
    const user = await aUser(short)
    const events = await readEvents(shortAddress, user.as.accessToken)
    await short.close()
    await expect(events.ended).resolves.toBeUndefined()
  })
})
