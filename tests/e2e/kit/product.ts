import { rm } from 'node:fs/promises'

import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { makeProductFolder } from './data-folder.ts'

/** The whole product as an operator starts it: embedded database, sandbox. */
export type Product = {
  /** What the product printed as the address to open, without a slash at the end. */
  address: string
  /** Ends it in good order; rejects where it had ended before or has to be killed. */
  stop: () => Promise<void>
}

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000

/** Starts the product on a free port, with a folder of its own: {@link makeProductFolder}. */
export async function startProduct(
  saleFile: string | null,
  options?: { fromNothing: boolean },
): Promise<Product> {
  const { folder, environment } = await makeProductFolder(saleFile, options)
  const server = await startServerOnFreePort(environment)
  const { port } = server
  const kill = () => server.process.kill('SIGKILL')
  // A test runner that is interrupted leaves no server behind.
  process.once('exit', kill)
  const cleanUp = async () => {
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const limit = setTimeout(kill, START_LIMIT_MS)
    await server.opened
    clearTimeout(limit)
    const address = new RegExp(String.raw`http://[\w.-]+:${port}`).exec(server.out())?.[0]
    if (address === undefined) throw new Error(`No address to open in:\n${server.out()}`)
    const stopAndCleanUp = async () => {
      try {
        await stop(server)
      } finally {
        await cleanUp()
      }
    }
    return { address, stop: stopAndCleanUp }
  } catch (fault) {
    kill()
    await server.ended
    await cleanUp()
    throw fault
  }
}

async function stop(server: ServerProcess): Promise<void> {
  if (server.process.exitCode !== null) {
    throw new Error(`The product ended in the middle of the tests. It said:\n${server.err()}`)
  }
  server.process.kill('SIGTERM')
  const limit = setTimeout(() => server.process.kill('SIGKILL'), STOP_LIMIT_MS)
  const code = await server.ended
  clearTimeout(limit)
  if (code !== 0) throw new Error(`The product ended with ${code}. It said:\n${server.err()}`)
}
