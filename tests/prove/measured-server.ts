import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

import { API_BASE } from '#contract/endpoint.ts'
import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'

const OPERATOR_TOKEN = 'an-operator-token-for-a-measurement'
const ASK_EVERY_MS = 20

/** A server on a database of its own that was filled before it started. */
export type MeasuredServer = {
  /** An operator's call, by its path behind `/operator`. */
  call(path: string, body?: object): Promise<IncomingMessage>
  /** Prints how long something took, and the most memory that the server had so far. */
  report(what: string, beganAt: number): void
  /** Asks for the smallest answer again and again; gives the longest wait once it is stopped. */
  askAllTheTime(): { stop(): Promise<number> }
}

/**
 * Makes a database and throws it away, with the sale applied and then filled, and starts the server
 * on it.
 * @param saleFile Its text; the shipped one where left out.
 */
export async function onMeasuredServer(
  serverUrl: string,
  { saleFile, fill }: { saleFile?: string; fill(client: pg.Client): Promise<void> },
  measure: (server: MeasuredServer) => Promise<void>,
): Promise<void> {
  const name = `measure_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'measure-'))
  await runOnServer(serverUrl, `create database ${name}`)
  const url = databaseUrl(serverUrl, name)
  try {
    if (saleFile !== undefined) writeFileSync(join(folder, 'sale.yaml'), saleFile)
    const environment = {
      DATABASE_URL: url,
      DATA_DIR: folder,
      ...(saleFile !== undefined && { SALE_FILE: join(folder, 'sale.yaml') }),
      SECRET_KEY: 'a secret key for a measurement, and for nothing else',
      OPERATOR_TOKEN,
    }
    // The first start makes the tables and applies the sale.
    await whileItRuns(environment, async () => {})
    const client = new pg.Client({ connectionString: url })
    // What ends it is told by the statement that runs.
    client.on('error', () => {})
    await client.connect()
    await fill(client)
    await client.end()
    await whileItRuns(environment, measure)
  } finally {
    await runOnServer(serverUrl, `drop database ${name} with (force)`)
    rmSync(folder, { recursive: true })
  }
}

async function whileItRuns(
  environment: Record<string, string>,
  measure: (server: MeasuredServer) => Promise<void>,
): Promise<void> {
  const server = await startServerOnFreePort(environment)
  const base = `http://127.0.0.1:${server.port}`
  await server.opened
  try {
    await measure({
      call: (path, body) => callOperator(`${base}${API_BASE}/operator${path}`, body),
      report: (what, beganAt) => report(what, beganAt, server.process.pid),
      askAllTheTime: () => askAllTheTime(base),
    })
  } finally {
    server.process.kill('SIGTERM')
    await server.ended
  }
}

/** The client of Node's own `fetch` gives up after five minutes. */
async function callOperator(url: string, body?: object): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      'operator-name': 'Measurement',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  })
  asked.once('response', resolve).once('error', reject)
  asked.end(body === undefined ? undefined : JSON.stringify(body))
  return await promise
}

function report(what: string, beganAt: number, pid: number | undefined): void {
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  print(`${what}: ${seconds} s, ${Math.round(peak)} MiB at most`)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function askAllTheTime(base: string): { stop(): Promise<number> } {
  const over = new AbortController()
  const asking = (async () => {
    let longestMs = 0
    while (!over.signal.aborted) {
      const askedAt = performance.now()
      await (await fetch(`${base}/healthz`)).text()
      longestMs = Math.max(longestMs, performance.now() - askedAt)
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    }
    return longestMs
  })()
  // Where the measurement fails, its own fault is to be seen, and not this one's.
  asking.catch(() => {})
  return {
    stop() {
      over.abort()
      return asking
    },
  }
}
