/**
 * What Node itself can do: a bare `node:http` that sends one body, in a process of its own. Started
 * by `startBareServer`, which gives it the body; prints its port.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { endWithUs } from '#tools/testing/end-with-us.ts'

export async function startBareServer(
  body: Buffer,
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  child.stdin.end(body)
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { port: Number(port), pid: child.pid ?? 0, stop }
}

if (import.meta.main) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const server = createServer((_request, reply) => {
    reply.writeHead(200, headers)
    reply.end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
  })
}
