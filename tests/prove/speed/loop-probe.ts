/**
 * Imported into the server that is measured: tells on a port of its own how long its event loop was
 * held at the longest since it was last asked. Counted as CPU of its thread between two turns, so
 * that a moment in which others had the core is none of ours.
 */
import { createServer } from 'node:http'

const EVERY_MS = 1

let lastUs = ownUs()
let longestUs = 0
setInterval(() => {
  const nowUs = ownUs()
  longestUs = Math.max(longestUs, nowUs - lastUs)
  lastUs = nowUs
}, EVERY_MS).unref()

createServer((_request, reply) => {
  reply.end(JSON.stringify({ longestMs: longestUs / 1_000 }))
  longestUs = 0
})
  .listen(Number(process.env['LOOP_PROBE_PORT']), '127.0.0.1')
  .unref()

function ownUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
