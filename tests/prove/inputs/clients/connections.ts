import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which anything may be written; what becomes of it is noted. */
export type Raw = {
  socket: Socket
  text: () => string
  closed: Promise<void>
  isClosed: () => boolean
}

export async function openRaw(port: number): Promise<Raw> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
    })
  })
  // A server that closes while something is still being written is what is wanted here.
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    if (text.length < 10_000) text += chunk.toString('latin1')
  })
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  return { socket, text: () => text, closed, isClosed: () => isClosed }
}

export async function openMany(port: number, count: number): Promise<Raw[]> {
  const opened: Raw[] = []
  const AT_ONCE = 100
  while (opened.length < count) {
    const some = Math.min(AT_ONCE, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: some }, () => openRaw(port)))))
  }
  return opened
}
