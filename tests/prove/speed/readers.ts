/**
 * Readers who do nothing but ask for one address, each on a connection of its own that stays open.
 * They speak HTTP over a bare socket and share a process apart from the server's, so that as little
 * as possible of the machine goes into asking.
 */
import { quantile } from '../quantile.ts'
import { openConnection } from './bare-connection.ts'
import { runApart, workApart } from './run-apart.ts'

/** With a body it is sent by POST. */
export type Question = { path: string; headers: Record<string, string>; body?: string }

export type ReadersTask = {
  port: number
  /** What each reader asks for, again and again, and what it sends beside the host. */
  readers: readonly Question[]
  seconds: number
}

export type ReadersReport = {
  replies: number
  latenciesMs: { p50: number; p99: number }
  /** The first reply that was no success, if any was. */
  failure: string | null
}

/** Runs the readers in a process of their own. */
export async function askWith(task: ReadersTask): Promise<ReadersReport> {
  const read = await runApart<ReadersReport>(import.meta.url, task).report
  if (read.failure !== null)
    throw new Error(`${task.readers[0]?.path} was answered: ${read.failure}`)
  return read
}

if (import.meta.main) await workApart(run)

async function run(task: ReadersTask): Promise<ReadersReport> {
  const latencies: number[] = []
  let failure: string | null = null
  const endsAt = performance.now() + task.seconds * 1_000
  await Promise.all(
    task.readers.map(async ({ path, headers, body = '' }) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const method = body === '' ? 'GET' : 'POST'
      const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
      const question = `${method} ${path} HTTP/1.1\r\nhost: here\r\n${length}${lines.join('')}\r\n${body}`
      const connection = await openConnection(task.port)
      while (performance.now() < endsAt && failure === null) {
        const startedAt = performance.now()
        const head = await connection.ask(question)
        if (!/^HTTP\/1\.1 (?:200|304) /.test(head)) failure ??= head
        latencies.push(performance.now() - startedAt)
      }
      connection.close()
    }),
  )
  const latenciesMs = { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  return { replies: latencies.length, latenciesMs, failure }
}
