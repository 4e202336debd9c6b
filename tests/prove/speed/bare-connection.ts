import { connect } from 'node:net'

export type BareConnection = Awaited<ReturnType<typeof openConnection>>

/** A connection that stays open, on which HTTP is asked and answered with as little as possible. */
export async function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let head = ''
  let left = -1
  let finish: (head: string) => void = () => {}
  socket.on('data', (chunk: Buffer) => {
    if (left === -1) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1]
      left = Number(length ?? 0) - (head.length - end - 4)
    } else {
      left -= chunk.length
    }
    if (left > 0) return
    const done = head
    head = ''
    left = -1
    finish(done)
  })
  socket.on('close', () => finish('The connection was closed'))
  return {
    /** Sends a request as it is; gives the reply’s head, and what came along with it. */
    ask: (question: string) =>
      new Promise<string>((resolve) => {
        finish = resolve
        socket.write(question)
      }),
    close: () => {
      socket.end()
    },
  }
}
