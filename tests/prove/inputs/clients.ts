import { setTimeout as delay } from 'node:timers/promises'

import { startCounting } from '../machine.ts'
import { quantile } from '../quantile.ts'
import { bySize, type Finding, assess, neverMoreThan, type Proof } from '../proof.ts'
import { openMany, openRaw, type Raw } from './clients/connections.ts'
import { askWhile } from './clients/honest-client.ts'
import { smugglingCount, trySmuggling } from './clients/smuggling.ts'
import { startWatchedServer, type WatchedServer } from './servers/watched-server.ts'

const FREED_WITHIN_MS = 30_000
const P99_MAX_MS = 250
const RSS_MAX_MIB = 1_228
const CONNECTIONS_MAX = 12_000
/** This many more than the server accepts, so that some have to be turned away. */
const TOO_MANY = 200
/** What a server has open beside, at most: its pool and the honest client. */
const OWN_SOCKETS = 12

/** Clients that send slowly, read slowly, send too much, or come in great numbers. */
export const clients: Proof = {
  name: 'clients',
  title: 'Slow, greedy and countless clients',
  kind: 'inputs',
  async run(scope) {
    const idle = bySize(scope, { short: 2_000, whole: 10_000, long: 10_000 })
    const each = bySize(scope, { short: 100, whole: 500, long: 1_000 })
    const mib = bySize(scope, { short: 64, whole: 1_024, long: 1_024 })
    const limit = scope.size === 'short' ? idle + each * 4 + TOO_MANY : CONNECTIONS_MAX
    const server = await startWatchedServer({
      database: 'postgres',
      environment: { CONNECTIONS_MAX: String(limit) },
    })
    try {
      const quietMib = server.rssMib()
      const usual = await askWhile(server.port, () => delay(3_000))
      const hidden = await trySmuggling(server.port)
      const attack = await attackWith(server, { idle, each, mib, limit })
      scope.say(
        `  honest calls before: p99 ${quantile(usual.ms, 0.99).toFixed(1)} ms, and while ${idle} are idle: ` +
          `${quantile(attack.honest.ms, 0.99).toFixed(1)} ms; memory ${quietMib.toFixed(0)} MiB before`,
      )
      return findingsOf(server, { idle, each, mib, limit, hidden, ...attack })
    } finally {
      await server.stop()
    }
  },
}

type Amounts = { idle: number; each: number; mib: number; limit: number }

async function attackWith(server: WatchedServer, { idle, each, mib, limit }: Amounts) {
  const { port } = server
  const all: Raw[] = []
  let highestMib = 0
  const watch = setInterval(() => {
    highestMib = Math.max(highestMib, server.rssMib())
  }, 200)
  const before = server.openSockets()
  const stopCounting = startCounting()
  let stillOpen = 0
  let turnedAway = 0
  let largeStatus = ''
  const honest = await askWhile(port, async () => {
    all.push(...(await openMany(port, idle)))
    all.push(...(await slowHeaders(port, each)), ...(await slowBodies(port, each)))
    all.push(...(await slowReaders(port, each)), ...(await hugeHeads(port, each)))
    largeStatus = await sendLarge(port, mib)
    stillOpen = await waitForFreed(server, before)
    // Once the others are gone: while they end, nobody knows how many there are.
    const more = await openMany(port, limit + TOO_MANY)
    await delay(500)
    turnedAway = more.filter((raw) => raw.isClosed()).length
    for (const { socket } of more) socket.destroy()
    stillOpen += await waitForFreed(server, before)
  })
  const { wasQuiet } = stopCounting()
  clearInterval(watch)
  for (const { socket } of all) socket.destroy()
  const sockets = all.length
  return {
    honest,
    wasQuiet,
    stillOpen,
    turnedAway,
    highestMib,
    largeStatus,
    sockets,
  }
}

/** Waits until the server has no more sockets than before, and returns how many it still has. */
async function waitForFreed(server: WatchedServer, before: number): Promise<number> {
  const until = Date.now() + FREED_WITHIN_MS
  while (true) {
    await delay(500)
    // That of the honest client, and those to the database that the calls have opened since.
    const left = Math.max(0, server.openSockets() - before - OWN_SOCKETS)
    if (left === 0 || Date.now() > until) return left
  }
}

/** A header a second, and never the last. */
async function slowHeaders(port: number, count: number): Promise<Raw[]> {
  const raws = await openMany(port, count)
  drip(raws, 'GET /healthz HTTP/1.1\r\nhost: x\r\n', 'a: b\r\n')
  return raws
}

async function slowBodies(port: number, count: number): Promise<Raw[]> {
  const raws = await openMany(port, count)
  const head = 'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  drip(raws, `${head}content-length: 1000\r\n\r\n{`, ' ')
  return raws
}

function drip(raws: readonly Raw[], first: string, next: string): void {
  for (const { socket } of raws) socket.write(first)
  const timer = setInterval(() => {
    const open = raws.filter((raw) => !raw.isClosed())
    if (open.length === 0) clearInterval(timer)
    for (const { socket } of open) socket.write(next)
  }, 1_000)
  timer.unref()
}

/** Request a lot, one call after the other, and read none of it. */
async function slowReaders(port: number, count: number): Promise<Raw[]> {
  const raws = await openMany(port, count)
  const call = 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'
  for (const { socket } of raws) {
    socket.pause()
    socket.write(call.repeat(100))
  }
  return raws
}

async function hugeHeads(port: number, count: number): Promise<Raw[]> {
  const raws = await openMany(port, count)
  const lines = 'x-header: value\r\n'.repeat(100_000)
  const head = Buffer.from(`GET /healthz HTTP/1.1\r\nhost: x\r\n${lines}\r\n`)
  for (const { socket } of raws) socket.write(head)
  return raws
}

/** A body of that size, as fast as it is accepted; returns the status of the reply. */
async function sendLarge(port: number, mib: number): Promise<string> {
  const raw = await openRaw(port)
  const chunk = Buffer.alloc(2 ** 20, ' ')
  raw.socket.write(
    'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
      'transfer-encoding: chunked\r\n\r\n',
  )
  for (let sent = 0; sent < mib && !raw.isClosed(); sent += 1) {
    raw.socket.write(`${chunk.length.toString(16)}\r\n`)
    raw.socket.write(chunk)
    const isTaken = raw.socket.write('\r\n')
    if (!isTaken) {
      const drained = new Promise((resolve) => raw.socket.once('drain', resolve))
      await Promise.race([drained, raw.closed, delay(FREED_WITHIN_MS)])
    }
  }
  raw.socket.destroySoon()
  return /^HTTP\/1\.1 (\d+)/.exec(raw.text())?.[1] ?? 'closed'
}

type Seen = Awaited<ReturnType<typeof attackWith>> & Amounts & { hidden: string[] }

function findingsOf(server: WatchedServer, seen: Seen): Finding[] {
  const { honest, hidden, idle, each, mib, limit } = seen
  const p99 = Number(quantile(honest.ms, 0.99).toFixed(1))
  const ends = server.ended() === null ? 0 : 1
  return [
    {
      promise: 'No request that two readers could read differently hides another',
      seen: `${hidden.length} of ${smugglingCount} answered twice${hidden[0] ? `: ${hidden.join(', ')}` : ''}`,
      bar: '0',
      assessment: neverMoreThan(0, hidden.length),
    },
    {
      promise: 'An honest client is served meanwhile',
      seen:
        `p99 ${p99} ms, ${honest.failed} of ${honest.ms.length} calls failed, beside ${idle} idle ` +
        `connections and ${each} each of slow headers, slow bodies, slow readers and heads of 1.7 MB`,
      bar: `${P99_MAX_MS} ms, 0 failed`,
      assessment: honest.failed > 0 ? 'failed' : assess(p99 <= P99_MAX_MS, seen.wasQuiet),
    },
    {
      promise: 'What does not send or read is disconnected',
      seen: `${seen.stillOpen} of ${seen.sockets} still open after ${FREED_WITHIN_MS / 1000} s`,
      bar: '0',
      assessment: neverMoreThan(0, seen.stillOpen),
    },
    {
      promise: 'Connections beyond the bound are turned away',
      seen: `${seen.turnedAway} closed at once of those beyond ${limit}`,
      bar: `at least ${TOO_MANY / 2}`,
      assessment: seen.turnedAway >= TOO_MANY / 2 ? 'held' : 'failed',
    },
    {
      promise: `A body of ${mib} MiB is refused, and memory stays bounded`,
      seen: `${seen.largeStatus}; at most ${seen.highestMib.toFixed(0)} MiB; ${ends} ends of the process`,
      bar: `413 or closed; ${RSS_MAX_MIB} MiB`,
      assessment:
        ['413', 'closed'].includes(seen.largeStatus) && ends === 0
          ? assess(seen.highestMib <= RSS_MAX_MIB)
          : 'failed',
    },
  ]
}
