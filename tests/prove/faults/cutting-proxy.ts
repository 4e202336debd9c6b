import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * Where a connection is cut: before the statement reaches PostgreSQL, or after PostgreSQL has
 * executed it and before its reply is passed on.
 */
export type Cut = 'before' | 'after'

export type CuttingProxy = {
  /** The URL of the database through it. */
  url: string
  /** Decides for each statement whether its connection is cut; null lets all pass. */
  decide: ((statement: string) => Cut | null) | null
  /** How many connections were cut at each place, with the statement done where it says so. */
  cuts: Record<Cut, number>
  close(): Promise<void>
}

const INT_BYTES = 4
const HEAD_BYTES = 5

/** Sits between a server and PostgreSQL, and reads enough of the traffic to cut at a statement. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    watch(proxy, client, database)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const proxy: CuttingProxy = {
    url: url.href,
    decide: null,
    cuts: { before: 0, after: 0 },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

function watch(proxy: CuttingProxy, client: Socket, database: Socket): void {
  const prepared = new Map<string, string>()
  let hasBegun = false
  /** From now on PostgreSQL's output is not passed on, until it has executed the statement. */
  let isDoomed = false

  const statementOf = (kind: string, body: Buffer): string | null => {
    const [one = '', two = ''] = body.toString('utf8').split('\0')
    if (kind === 'Q') return one
    if (kind === 'P') prepared.set(one, two)
    // A Bind names the portal, and then what was prepared.
    return kind === 'B' ? (prepared.get(two) ?? '') : null
  }

  readMessages(
    client,
    (message) => {
      if (!hasBegun) {
        // The first message has no type byte.
        hasBegun = true
        database.write(message)
        return
      }
      const kind = String.fromCharCode(message[0] ?? 0)
      const statement = isDoomed ? null : statementOf(kind, message.subarray(HEAD_BYTES))
      const cut = statement === null ? null : (proxy.decide?.(statement) ?? null)
      if (cut === 'before') {
        proxy.cuts.before += 1
        client.destroy()
        database.destroy()
        return
      }
      if (cut === 'after') isDoomed = true
      database.write(message)
    },
    () => !hasBegun,
  )

  readMessages(database, (message) => {
    if (!isDoomed) {
      client.write(message)
      return
    }
    // ReadyForQuery: everything is done.
    if (message[0] !== 'Z'.charCodeAt(0)) return
    proxy.cuts.after += 1
    client.destroy()
    database.destroy()
  })
}

/**
 * Calls `take` with each whole message; a client's first one has no type byte before its length.
 */
function readMessages(
  from: Socket,
  take: (message: Buffer) => void,
  isBare: () => boolean = () => false,
): void {
  let waiting: Buffer = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    for (;;) {
      const kindBytes = isBare() ? 0 : HEAD_BYTES - INT_BYTES
      if (waiting.length < kindBytes + INT_BYTES) return
      const length = kindBytes + waiting.readInt32BE(kindBytes)
      if (waiting.length < length) return
      const message = waiting.subarray(0, length)
      waiting = waiting.subarray(length)
      take(message)
    }
  })
}
