import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { startCounting } from '#tests/prove/machine.ts'
import { bySize, type Finding, assess, type Proof, type ProofScope } from '#tests/prove/proof.ts'
import { findFreePort } from '#tools/testing/free-port.ts'
import { openStreams, type OpenStreams } from './listeners.ts'
import { addUsers, type SpeedServer, startSpeedServer } from './speed-server.ts'

/** What a process needs of open files beside its connections. */
const OTHER_FILES = 200
const RSS_MAX_MIB = 300
const HEARD_WITHIN_MS = 1_000
const HOLD_MAX_MS = 20
const EVENTS_PER_SECOND_MAX = 2
/** Of what a purchase costs a server without any stream. */
const PURCHASE_COST_MAX = 1.5
const PURCHASES = 20_000
const SETTLED_AFTER_MS = 1_000

/** What open pages cost, and how soon they hear of a change. */
export const live: Proof = {
  name: 'live',
  title: 'Open pages: what they cost, and how soon they hear',
  kind: 'speed',
  async run(scope) {
    const streams = bySize(scope, { short: 2_000, whole: 10_000, long: 10_000 })
    const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
    if (files < streams + OTHER_FILES) {
      return [
        {
          promise: `${streams} pages are open`,
          seen: `a process may open ${files} files here`,
          bar: `ulimit -n of ${streams + OTHER_FILES}`,
          assessment: 'not judged',
        },
      ]
    }
    const probePort = await findFreePort()
    const probe = fileURLToPath(import.meta.resolve('./loop-probe.ts'))
    const server = await startSpeedServer({
      NODE_OPTIONS: `--import=${probe}`,
      LOOP_PROBE_PORT: String(probePort),
    })
    try {
      await addUsers(server, streams)
      await warmUp(server)
      const alone = await measurePurchases(server)
      const restMib = readRssMib(server.pid)
      const opened = await openStreams({ port: server.port, streams })
      try {
        await delay(SETTLED_AFTER_MS)
        const openMib = readRssMib(server.pid)
        return [
          memoryFinding(streams, restMib, openMib),
          ...(await measureHearing(scope, server, opened, probePort)),
          purchaseFinding(streams, alone, await measurePurchases(server)),
        ]
      } finally {
        await opened.close()
      }
    } finally {
      await server.stop()
    }
  },
}

function memoryFinding(streams: number, restMib: number, openMib: number): Finding {
  const each = ((openMib - restMib) * 1_024) / streams
  return {
    promise: `${streams} pages are open`,
    seen: `${openMib.toFixed(0)} MiB of memory, ${restMib.toFixed(0)} before: ${each.toFixed(1)} KiB each`,
    bar: `at most ${RSS_MAX_MIB} MiB with 10,000`,
    assessment: assess(openMib <= RSS_MAX_MIB),
  }
}

async function measureHearing(
  scope: ProofScope,
  server: SpeedServer,
  opened: OpenStreams,
  probePort: number,
): Promise<Finding[]> {
  const rounds = bySize(scope, { short: 3, whole: 9, long: 30 })
  const taken: { ms: number; cpuMs: number }[] = []
  await askProbe(probePort)
  let quiet = true
  for (let round = 0; round < rounds; round += 1) {
    const { heard } = await opened.listen()
    const stopCounting = startCounting([server.postgresPid])
    const changedAt = Date.now()
    await notify(server, [[{ kind: 'stage' }]])
    const ms = (await heard) - changedAt
    const counted = stopCounting()
    quiet &&= counted.wasQuiet
    taken.push({ ms, cpuMs: counted.used(server.pid) / 1_000 })
    await delay(SETTLED_AFTER_MS)
  }
  const { longestMs } = await askProbe(probePort)
  const seconds = bySize(scope, { short: 2, whole: 4, long: 10 })
  const rush = await rushOfChanges(server, opened, seconds)
  const slowest = Math.max(...taken.map(({ ms }) => ms))
  const cpuMs = taken.map((one) => one.cpuMs).toSorted((one, other) => one - other)
  return [
    {
      promise: 'A change of the stage is heard by all',
      seen: `after ${slowest} ms at the latest, for ${cpuMs[rounds >> 1]?.toFixed(0)} ms of the server’s CPU`,
      bar: `within ${HEARD_WITHIN_MS} ms`,
      // What is slow on a busy machine is not judged, and what is fast even there is.
      assessment: slowest <= HEARD_WITHIN_MS ? 'held' : assess(false, quiet),
    },
    {
      promise: 'Writing to all never holds the event loop',
      seen: `${longestMs.toFixed(1)} ms of CPU in one turn at the longest`,
      bar: `less than ${HOLD_MAX_MS} ms`,
      assessment: assess(longestMs < HOLD_MAX_MS),
    },
    rush,
  ]
}

/** The stage changes at every settled batch of a rush. */
async function rushOfChanges(
  server: SpeedServer,
  opened: OpenStreams,
  seconds: number,
): Promise<Finding> {
  await opened.listen()
  const endsAt = performance.now() + seconds * 1_000
  let changes = 0
  while (performance.now() < endsAt) {
    await notify(server, [[{ kind: 'stage' }]])
    changes += 1
    await delay(10)
  }
  await delay(SETTLED_AFTER_MS)
  const { most, fewest } = await opened.count()
  const bound = (seconds + SETTLED_AFTER_MS / 1_000) * EVENTS_PER_SECOND_MAX
  return {
    promise: 'A rush of changes is heard twice a second',
    seen: `${changes} changes in ${seconds} s, of which each page heard ${fewest} to ${most}`,
    bar: `at most ${EVENTS_PER_SECOND_MAX} a second, and the last one`,
    assessment: assess(fewest >= 1 && most <= bound),
  }
}

/** What the server’s CPU is for each purchase of users who have no page open, in microseconds. */
async function measurePurchases(server: SpeedServer): Promise<number> {
  const stopCounting = startCounting()
  await notify(
    server,
    Array.from({ length: PURCHASES }, (_, nth) => [
      { kind: 'purchase', userId: `nobody-${nth}`, transactionId: `none-${nth}` },
    ]),
  )
  await delay(SETTLED_AFTER_MS)
  return stopCounting().used(server.pid) / PURCHASES
}

function purchaseFinding(streams: number, alone: number, open: number): Finding {
  return {
    promise: `A purchase costs no more with ${streams} pages of others open`,
    seen: `${open.toFixed(1)} µs of the server’s CPU to hear of it, ${alone.toFixed(1)} without a page`,
    bar: `at most ${PURCHASE_COST_MAX} times, or 10 µs more`,
    assessment: assess(open <= Math.max(alone * PURCHASE_COST_MAX, alone + 10)),
  }
}

/** The first of them compile what they run. */
async function warmUp(server: SpeedServer): Promise<void> {
  await measurePurchases(server)
}

async function notify({ sql }: SpeedServer, payloads: readonly unknown[]): Promise<void> {
  await sql(`select pg_notify('live', payload) from unnest($1::text[]) as payload`, [
    payloads.map((payload) => JSON.stringify(payload)),
  ])
}

async function askProbe(port: number): Promise<{ longestMs: number }> {
  const reply = await fetch(`http://127.0.0.1:${port}`)
  return (await reply.json()) as { longestMs: number }
}

function readRssMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}
