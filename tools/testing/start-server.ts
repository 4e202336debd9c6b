import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import { endWithUs } from './end-with-us.ts'
import { findFreePort } from './free-port.ts'
import { projectRoot, serverArguments } from '#tools/project.ts'

const START_WITHIN_MS = 120_000
const ASK_EVERY_MS = 100

/**
 * Starts the product itself on a free port, with only these variables, and resolves once it can
 * serve. `stop` ends it properly.
 */
export async function startServer(
  environment: NodeJS.ProcessEnv,
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, serverArguments, {
    cwd: projectRoot,
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  endWithUs(child)
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const giveUpAt = Date.now() + START_WITHIN_MS
  while (!(await isReady(port))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop()
      throw new Error('The server did not start. Its output is above')
    }
    await delay(ASK_EVERY_MS)
  }
  return { port, pid: child.pid ?? 0, stop }
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
