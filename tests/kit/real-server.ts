import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export type RealServer = {
  /** Where the API begins. */
  url: string
  process: ChildProcess
  /** Ends it without a warning, as a power cut or the system would. */
  kill(): Promise<void>
  /** Ends it in good order. */
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const POLL_MS = 50

/** Runs `node server/main.ts` and waits until it serves. */
export async function startRealServer(environment: Record<string, string>): Promise<RealServer> {
  const port = await findFreePort()
  const child = spawnServer({ ...environment, PORT: String(port) })
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (await isReady(port)) break
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await end('SIGKILL')
      throw new Error(`The server did not start. It said: ${complaint}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    process: child,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/**
 * Runs `node server/main.ts` where it is expected to give up; gives its exit code and last words.
 */
export async function runRefusedServer(
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; complaint: string }> {
  const child = spawnServer({ ...environment, PORT: String(await findFreePort()) })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  await once(child, 'close')
  return { exitCode: child.exitCode, complaint }
}

function spawnServer(environment: Record<string, string>): ChildProcess {
  const main = fileURLToPath(import.meta.resolve('#server/main.ts'))
  return spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
