import { createServer, type Socket } from 'node:net'

export type TakenMail = { from: string; recipients: string[]; headers: string; body: string }

export type SmtpServer = {
  url: string
  port: number
  taken: TakenMail[]
  /** Refuses every mail from now on. */
  refuse(): void
  close(): Promise<void>
}

/**
 * A mail server that speaks just enough SMTP to take mails, and keeps what it was told. Without a
 * port the operating system chooses one.
 */
export async function startSmtpServer(wantedPort = 0): Promise<SmtpServer> {
  const taken: TakenMail[] = []
  let isRefusing = false
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, taken, () => isRefusing)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(wantedPort, '127.0.0.1', () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0)
    })
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    taken,
    refuse: () => {
      isRefusing = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function serve(socket: Socket, taken: TakenMail[], isRefusing: () => boolean): void {
  let mail: TakenMail = { from: '', recipients: [], headers: '', body: '' }
  let waiting = ''
  let isInData = false
  const say = (line: string) => socket.write(`${line}\r\n`)

  const takeData = (content: string) => {
    const [headers = '', ...rest] = content.split('\r\n\r\n')
    taken.push({ ...mail, headers, body: rest.join('\r\n\r\n') })
    mail = { from: '', recipients: [], headers: '', body: '' }
    say('250 taken')
  }
  const takeLine = (line: string) => {
    const command = line.toUpperCase()
    if (command.startsWith('EHLO')) say('250 a.test.server')
    else if (command.startsWith('MAIL FROM:')) {
      mail.from = line.slice('MAIL FROM:'.length)
      say(isRefusing() ? '451 not now' : '250 ok')
    } else if (command.startsWith('RCPT TO:')) {
      mail.recipients.push(line.slice('RCPT TO:'.length))
      say('250 ok')
    } else if (command === 'DATA') {
      isInData = true
      say('354 go on')
    } else if (command === 'QUIT') socket.end('221 bye\r\n')
    else say('250 ok')
  }

  say('220 a.test.server')
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    waiting += chunk.toString()
    for (;;) {
      const end = waiting.indexOf(isInData ? '\r\n.\r\n' : '\r\n')
      if (end === -1) return
      const part = waiting.slice(0, end)
      waiting = waiting.slice(end + (isInData ? 5 : 2))
      if (isInData) {
        isInData = false
        takeData(part)
      } else takeLine(part)
    }
  })
}
