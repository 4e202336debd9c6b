import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { projectEnvironment, projectRoot } from '#tools/project.ts'

/** The whole product as an operator starts it: shipped sale, embedded database, sandbox. */
export type Product = {
  /** What the product printed as the address to open, without a slash at the end. */
  address: string
  stop: () => Promise<void>
}

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000

/** Starts the product on a free port with an empty folder for its data. */
export async function startProduct(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-e2e-'))
  const port = await freePort()
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: projectRoot,
    env: {
      PATH: projectEnvironment['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const address = await printedAddress(server, port)
    return {
      address,
      async stop() {
        await stopServer(server)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (fault) {
    server.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    throw fault
  }
}

/** Waits until the product says where it listens; rejects with all it printed when it does not. */
function printedAddress(server: ChildProcess, port: number): Promise<string> {
  const address = new RegExp(String.raw`http://[\w.-]+:${port}`)
  return new Promise((resolve, reject) => {
    let printed = ''
    const giveUp = (what: string) => reject(new Error(`The product ${what}. It said:\n${printed}`))
    const limit = setTimeout(() => giveUp('printed no address in a minute'), START_LIMIT_MS)
    const read = (text: Buffer) => {
      printed += text.toString()
      const found = address.exec(printed)?.[0]
      if (found === undefined) return
      clearTimeout(limit)
      resolve(found)
    }
    // Both streams are read to the end, or the product would stand still once a pipe is full.
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('error', reject)
    server.once('exit', (code) => giveUp(`ended with exit code ${code}`))
  })
}

/** Ends the product as an operator does; one that has to be killed is a failure. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) throw new Error(`The product ended by itself: ${server.exitCode}.`)
  const ended = new Promise<number | null>((resolve) => {
    server.once('exit', (code) => resolve(code))
  })
  const limit = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS)
  server.kill('SIGTERM')
  const code = await ended
  clearTimeout(limit)
  if (code !== 0) throw new Error(`The product did not stop in an orderly way: ${code}.`)
}

/** A port that nobody listens on, chosen by the operating system. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const bound = probe.address()
      const port = typeof bound === 'object' && bound !== null ? bound.port : 0
      probe.close(() => resolve(port))
    })
  })
}
