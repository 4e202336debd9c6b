/**
 * Makes a plain call repeatedly, in a separate thread, so that the load of its own process is not
 * mistaken for the server's. Ends at the first message, and posts what it saw.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { createWire } from '#tests/prove/wire.ts'

export type Honest = { ms: number[]; failed: number }

const ASK_EVERY_MS = 20

if (!isMainThread) await askUntilOver(workerData as number)

async function askUntilOver(port: number): Promise<void> {
  const wire = createWire(port, 1)
  const honest: Honest = { ms: [], failed: 0 }
  const over = new AbortController()
  parentPort?.once('message', () => over.abort())
  while (!over.signal.aborted) {
    const startedAt = performance.now()
    try {
      const path = '/api/v1/stages/active'
      const reply = await wire.send({ method: 'GET', path, headers: {}, body: null })
      if (reply.status !== 200) honest.failed += 1
    } catch {
      honest.failed += 1
    }
    honest.ms.push(performance.now() - startedAt)
    await delay(ASK_EVERY_MS)
  }
  wire.close()
  parentPort?.postMessage(honest)
}

/** How an honest client fares while something else happens. */
export async function askWhile(port: number, happens: () => Promise<unknown>): Promise<Honest> {
  const worker = new Worker(new URL(import.meta.url), { workerData: port })
  try {
    await happens()
    const seen = new Promise<Honest>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    worker.postMessage('over')
    return await seen
  } finally {
    await worker.terminate()
  }
}
