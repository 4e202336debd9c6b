import { once } from 'node:events'
import { createServer } from 'node:net'

/** Takes a port that the operating system chooses, until `release`. */
export async function takePort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { port, release }
}

/** A port that nobody has at this moment, for a program that cannot choose one by itself. */
export async function findFreePort(): Promise<number> {
  const { port, release } = await takePort()
  await release()
  return port
}
