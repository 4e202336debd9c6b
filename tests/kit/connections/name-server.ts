import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type NameServer = {
  /** As a resolver is told of it. */
  address: string
  /** How many questions it got. */
  asked: number
  close(): Promise<void>
}

const HEADER_BYTES = 12
const TYPE_A = 1
const FOUND = 0x8180
const NO_SUCH_NAME = 0x8183
/** The name stands at the beginning of the question. */
const SAME_NAME = 0xc00c

/**
 * A real name server on loopback that knows an IPv4 address for each of these names, and no others.
 * Null knows nothing, and answers nobody.
 */
export async function startNameServer(
  addresses: Readonly<Record<string, string>> | null,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server = { asked: 0 }
  socket.on('message', (message, { port, address }) => {
    server.asked += 1
    if (addresses !== null) socket.send(answerTo(message, addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const close = async () => {
    socket.close()
    await once(socket, 'close')
  }
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}`, close })
}

function answerTo(message: Buffer, addresses: Readonly<Record<string, string>>): Buffer {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let size = message.readUInt8(at); size > 0; size = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  const questionEnd = at + 5
  const address = addresses[labels.join('.').toLowerCase()]
  const isFound = address !== undefined && message.readUInt16BE(at + 1) === TYPE_A
  const counts = [1, isFound ? 1 : 0, 0, 0]
  const numbers = (...each: number[]) =>
    Buffer.from(each.flatMap((number) => [number >> 8, number & 0xff]))
  return Buffer.concat([
    message.subarray(0, 2),
    numbers(address === undefined ? NO_SUCH_NAME : FOUND, ...counts),
    message.subarray(HEADER_BYTES, questionEnd),
    ...(isFound
      ? [numbers(SAME_NAME, TYPE_A, 1, 0, 60, 4), Buffer.from(address.split('.').map(Number))]
      : []),
  ])
}
