/**
 * Readers who do nothing but ask for one address, each on a connection of its own that stays open.
 * They speak HTTP over a bare socket and share a process apart from the server's, so that as little
 * as possible of the machine goes into asking. Started by `askWith`; prints one line of JSON.
 */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

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
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(task))
  let report = ''
  for await (const line of createInterface(child.stdout)) report = line
  if (report === '') throw new Error('The readers ended early. Their output is above')
  const read = JSON.parse(report) as ReadersReport
  if (read.failure !== null)
    throw new Error(`${task.readers[0]?.path} was answered: ${read.failure}`)
  return read
}

if (import.meta.main) {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(text) as ReadersTask))}\n`)
}

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
      const connection = await open(task.port)
      while (performance.now() < endsAt && failure === null) {
        const startedAt = performance.now()
        const head = await connection.ask(question)
        if (!/^HTTP\/1\.1 (?:200|304) /.test(head)) failure ??= head
        latencies.push(performance.now() - startedAt)
      }
      connection.close()
    }),
  )
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { replies: latencies.length, latenciesMs: { p50: at(0.5), p99: at(0.99) }, failure }
}

async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let head = ''
  let left = -1
  let finish: (head: string) => void = () => {}
  socket.on('data', (chunk: Buffer) => {
    if (left === -1) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1]
      left = Number(length ?? 0) - (head.length - end - 4)
    } else {
      left -= chunk.length
    }
    if (left > 0) return
    const done = head
    head = ''
    left = -1
    finish(done)
  })
  socket.on('close', () => finish('The connection was closed'))
  return {
    ask: (question: string) =>
      new Promise<string>((resolve) => {
        finish = resolve
        socket.write(question)
      }),
    close: () => {
      socket.end()
    },
  }
}
