import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export type TakenMail = {
  from: string
  recipients: string[]
  headers: string
  body: string
  isEncrypted: boolean
  /** Who logged in to hand it over; undefined where nobody did. */
  user: unknown
}

/**
 * What the server does with mails: accepts them; refuses them for now or each recipient for good;
 * breaks the connection in the middle of a mail, or after accepting one but before confirming it;
 * accepts one without confirming it; falls silent; closes each connection at once; or holds each
 * mail at its beginning until it is released.
 */
export type Behaviour =
  | 'take'
  | 'later'
  | 'never'
  | 'drop in the middle'
  | 'drop at the end'
  | 'take in silence'
  | 'hang'
  | 'turn away'
  | 'hold'

export type SmtpServer = {
  url: string
  port: number
  taken: TakenMail[]
  behaviour: Behaviour
  /** How many mails were started, whatever became of them. */
  begun: number
  /** Continues with the held mails, as if they had just come. */
  letGo(): void
  close(): Promise<void>
}

export type SmtpServerOptions = {
  /** Without a port the operating system chooses one. */
  port?: number
  /** Who may hand mails over; everybody where left out. */
  login?: { user: string; password: string }
  /** Whether it offers STARTTLS, with a self-signed certificate. */
  hasTls?: boolean
}

const LATER = 451
const NEVER = 550
const WRONG_LOGIN = 535

/**
 * A real mail server on loopback, which keeps what it accepts and can have every kind of trouble.
 */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const { port: wantedPort = 0, login, hasTls = false } = options
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const drop = ({ remotePort }: SMTPServerSession) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
  }
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 100,
    authOptional: login === undefined,
    disabledCommands: [...(hasTls ? [] : ['STARTTLS']), ...(login === undefined ? ['AUTH'] : [])],
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password
      if (isRight) done(null, { user: username })
      else done(replyOf(WRONG_LOGIN, 'Wrong user or password'))
    },
    onMailFrom(_address, _session, done) {
      smtp.begun += 1
      const answer = () => done(smtp.behaviour === 'later' ? replyOf(LATER, 'Not now') : null)
      if (smtp.behaviour === 'hold') held.push(answer)
      else answer()
    },
    onRcptTo({ address }, _session, done) {
      done(smtp.behaviour === 'never' ? replyOf(NEVER, `<${address}> is nobody`) : null)
    },
    onData(stream, session, done) {
      const { behaviour } = smtp
      if (behaviour === 'hang') return
      if (behaviour === 'drop in the middle') {
        drop(session)
        return
      }
      void keep(stream, session, () => {
        if (behaviour === 'drop at the end') drop(session)
        else if (behaviour !== 'take in silence') done(null, 'Taken')
      }).catch(() => {
        // A sender may break off in the middle of a mail; then it was not accepted.
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    if (smtp.behaviour === 'turn away') {
      smtp.begun += 1
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(wantedPort, '127.0.0.1', () => {
      const bound = listening.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0)
    })
  })
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    taken: [],
    behaviour: 'take',
    begun: 0,
    letGo: () => {
      for (const answer of held.splice(0)) answer()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        dropAll()
      }),
  }
  return smtp

  async function keep(stream: SMTPServerDataStream, session: SMTPServerSession, kept: () => void) {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk)
    smtp.taken.push(mailOf(session, Buffer.concat(chunks).toString()))
    kept()
  }
}

function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function mailOf({ envelope, secure, user }: SMTPServerSession, content: string): TakenMail {
  const [headers = '', ...body] = content.split('\r\n\r\n')
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
    headers,
    body: body.join('\r\n\r\n'),
    isEncrypted: secure,
    user,
  }
}
