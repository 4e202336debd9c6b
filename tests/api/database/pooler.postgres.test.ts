import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { invariant } from '#domain/invariant.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'

let open: TestDatabase
/** What stands in front of PostgreSQL, if anything does. */
let pooler: Server | null
const sockets: Socket[] = []
beforeEach(async () => {
  open = await openTestDatabase()
  pooler = null
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  pooler?.close()
  await open.close()
})

function ownUrl(): URL {
  invariant(open.config.kind === 'postgres', 'This test has a database on a server.')
  return new URL(open.config.url)
}

/** Each connection is handled with the first message that comes, which starts a session. */
async function startPooler(onStart: (client: Socket, message: Buffer) => void): Promise<string> {
  pooler = createServer((client) => {
    sockets.push(client)
    client.on('error', () => {})
    client.once('data', (message) => onStart(client, message))
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const url = ownUrl()
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  return url.href
}

const HEADER_BYTES = 8

/** The message without the time limits that a session is to have. */
function withoutLimits(message: Buffer): Buffer {
  const words = message.subarray(HEADER_BYTES).toString('utf8').split('\0')
  const isKept = (_word: string, place: number) =>
    words[place - (place % 2)]?.endsWith('_timeout') !== true
  const body = Buffer.from(words.filter(isKept).join('\0'))
  const header = Buffer.from(message.subarray(0, HEADER_BYTES))
  header.writeInt32BE(HEADER_BYTES + body.length)
  return Buffer.concat([header, body])
}

const refusal = async (url: string) =>
  await openDatabase({ kind: 'postgres', url }).then(
    async (opened) => {
      await opened.close()
      return null
    },
    (fault: Error) => fault.message,
  )

it('PostgreSQL itself is used', async () => {
  expect(await refusal(ownUrl().href)).toBeNull()
})

it('a pooler that drops the limits of a connection is refused, with what to do', async () => {
  const url = await startPooler((client, message) => {
    const { hostname, port } = ownUrl()
    const server = connect(Number(port), hostname, () => server.write(withoutLimits(message)))
    sockets.push(server)
    server.on('error', () => {})
    client.pipe(server).pipe(client)
  })
  expect(await refusal(url)).toMatch(/connection pooler.* the address of PostgreSQL itself/)
})

it('a pooler that refuses the limits of a connection is refused, with what to do', async () => {
  const url = await startPooler((client) => {
    const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '']
    const body = Buffer.from(`${fields.join('\0')}\0`)
    const header = Buffer.alloc(5)
    header.write('E')
    header.writeInt32BE(4 + body.length, 1)
    client.end(Buffer.concat([header, body]))
  })
  expect(await refusal(url)).toMatch(/connection pooler.* the address of PostgreSQL itself/)
})
