import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { providePostgres } from '#tools/testing/start-postgres.ts'
import type { LoopHold } from './watch-loop.ts'

export const OPERATOR_TOKEN = 'an-operator-token-for-proofs-and-nothing-else'
export const SECRET_KEY = 'a secret key for proofs, and for nothing else'

/** A server as an operator runs it, in a separate process, watched from outside. */
export type WatchedServer = {
  port: number
  pid: number
  /** Null for the embedded one, which nobody else may open. */
  databaseUrl: string | null
  /** Every pass of the event loop that was long, since the server opened. */
  holds: LoopHold[]
  /** The faults that it logged as its own. */
  faults: string[]
  /** How it ended by itself; null while it runs. */
  ended: () => string | null
  rssMib(): number
  /** Of every kind: to its callers, its database and others. */
  openSockets(): number
  stop(): Promise<void>
}

export type WatchedServerOptions = {
  database: 'postgres' | 'embedded'
  /** The text of its sale file; the shipped sale where left out. */
  sale?: string
  environment?: Record<string, string>
}

const OPEN_WITHIN_MS = 120_000
const FAULT = /"level":"error"/

/** Starts one on its own database; `stop` discards that. */
export async function startWatchedServer(options: WatchedServerOptions): Promise<WatchedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-inputs-'))
  const closers = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    const database: Record<string, string> =
      options.database === 'postgres' ? await createDatabase(closers) : {}
    const kept = join(folder, 'kept')
    if (options.database === 'embedded') await unpackDatabase(join(kept, 'database'))
    const sale: Record<string, string> = {}
    if (options.sale !== undefined) {
      sale['SALE_FILE'] = join(folder, 'sale.yaml')
      await writeFile(sale['SALE_FILE'], options.sale)
    }
    const server = await spawnServer({
      DATA_DIR: kept,
      SECRET_KEY,
      OPERATOR_TOKEN,
      LOG_LEVEL: 'error',
      // Callers name the address that they come from, as a proxy of ours would.
      TRUSTED_PROXIES: '1',
      ...database,
      ...sale,
      ...options.environment,
    })
    closers.push(server.stop)
    return { ...server, databaseUrl: database['DATABASE_URL'] ?? null, stop: close }
  } catch (fault) {
    await close()
    throw fault
  }
}

async function createDatabase(closers: (() => Promise<void>)[]): Promise<Record<string, string>> {
  const postgres = await providePostgres()
  closers.push(() => postgres.stop())
  const name = `presale_inputs_${randomBytes(6).toString('hex')}`
  await runOnServer(postgres.url, `create database ${name}`)
  closers.push(async () => {
    await runOnServer(postgres.url, `drop database ${name} with (force)`)
  })
  return { DATABASE_URL: databaseUrl(postgres.url, name) }
}

async function spawnServer(
  environment: Record<string, string>,
): Promise<Omit<WatchedServer, 'databaseUrl'>> {
  const preload = import.meta.resolve('./watch-loop.ts')
  const server = await startServerOnFreePort(environment, { preload })
  const { process: child, port } = server
  let isOpen = false
  let end: string | null = null
  const holds: LoopHold[] = []
  const faults: string[] = []
  child.on('message', (hold: LoopHold) => {
    if (isOpen) holds.push(hold)
  })
  const hear = (text: Buffer) => {
    for (const line of text.toString().split('\n')) if (FAULT.test(line)) faults.push(line)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.once('close', (code, signal) => {
    end = `code ${code}, signal ${signal}: ${(server.out() + server.err()).slice(-2_000)}`
  })
  const late = delay(OPEN_WITHIN_MS, null, { ref: false }).then(() => {
    throw new Error('The server did not open.')
  })
  await Promise.race([server.opened, late])
  isOpen = true
  const pid = child.pid ?? 0
  return {
    port,
    pid,
    holds,
    faults,
    ended: () => end,
    rssMib: () => residentMib(pid),
    openSockets: () => countSockets(pid),
    stop: async () => void (await server.stop('SIGKILL')),
  }
}

function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  const isSocket = (name: string) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:')
    } catch {
      // It was closed between the listing and the look.
      return false
    }
  }
  return readdirSync(folder).filter(isSocket).length
}

/** proc(5), `VmRSS` of /proc/[pid]/status, which the kernel gives in KiB. */
function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
