import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

const KILLS = 3
const BUYERS = 8
const ACKNOWLEDGED_BEFORE_KILL = 15

let folder: string
let environment: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presale-kill-'))
  const saleFile = join(folder, 'sale.yaml')
  const manyOpen = 'purchases: { expire_after_minutes: 60, open_per_user: 1000 }\n'
  writeFileSync(saleFile, manyOpen + SMALL_SALE_FILE.replace('1000\n', '1000000000\n'))
  environment = { DATA_DIR: join(folder, 'data'), SALE_FILE: saleFile }
  await unpackDatabase(join(folder, 'data', 'database'))
})
afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    process.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Every process that was started; ended or not. */
const started: ServerProcess[] = []

type Server = { url: string; process: ServerProcess }

async function start(): Promise<Server> {
  const { port, ...process } = await startServerOnFreePort(environment)
  started.push(process)
  await process.opened
  return { url: `http://127.0.0.1:${port}/api/v1`, process }
}

/** Ends it without a warning, as a power cut would, or in good order. */
async function end({ process }: Server, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  process.process.kill(signal)
  await process.ended
}

type Purchase = { id: string; payment_address: string }
type Made = { token: string; purchase: Purchase }

async function register({ url }: Server): Promise<string> {
  const reply = await fetch(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aRegistration()),
  })
  const { data } = (await reply.json()) as { data: { tokens: { access: { token: string } } } }
  return data.tokens.access.token
}

async function buy({ url }: Server, token: string, key: string): Promise<Purchase> {
  const reply = await fetch(`${url}/transactions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
    },
    body: JSON.stringify({ purchase_amount: 10, purchase_token_id: 'eth' }),
  })
  const body = (await reply.json()) as { data: Purchase }
  expect(reply.status, JSON.stringify(body)).toBe(201)
  return body.data
}

/** Lets several users buy without a pause, and kills the server in the middle of it. */
async function buyUntilKilled(server: Server, tokens: readonly string[]) {
  const acknowledged = new Map<string, Made>()
  const unanswered = new Map<string, string>()
  const kill: { done: Promise<void> | null } = { done: null }
  const keepBuying = async (token: string) => {
    while (kill.done === null) {
      const key = randomUUID()
      unanswered.set(key, token)
      const purchase = await buy(server, token, key).catch((error: unknown) => {
        if (kill.done === null) throw error
        return null
      })
      if (purchase === null) return
      unanswered.delete(key)
      acknowledged.set(key, { token, purchase })
      if (acknowledged.size >= ACKNOWLEDGED_BEFORE_KILL) kill.done ??= end(server, 'SIGKILL')
    }
  }
  await Promise.all(tokens.map(keepBuying))
  await kill.done
  return { acknowledged, unanswered }
}

describe('a server that is killed in the middle of purchases', () => {
  it('has every purchase that it acknowledged when it is started again', async () => {
    const ids = new Set<string>()
    let killsInTheMiddle = 0
    let server = await start()
    const tokens = await Promise.all(Array.from({ length: BUYERS }, () => register(server)))
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { acknowledged, unanswered } = await buyUntilKilled(server, tokens)
      if (unanswered.size > 0) killsInTheMiddle += 1

      server = await start()
      for (const [key, { token, purchase }] of acknowledged) {
        const again = await buy(server, token, key)
        expect(again.id).toBe(purchase.id)
        expect(again.payment_address).toBe(purchase.payment_address)
        ids.add(purchase.id)
      }
      // A client without an answer repeats its request, and has one purchase whether or not it was
      // made.
      for (const [key, token] of unanswered) {
        const { id } = await buy(server, token, key)
        expect(ids).not.toContain(id)
        ids.add(id)
      }
    }
    expect(killsInTheMiddle, 'kills that hit unfinished work').toBe(KILLS)
    await end(server, 'SIGTERM')

    const config = { kind: 'embedded', folder: join(folder, 'data', 'database') } as const
    const open = await openDatabase(config)
    const rows = await open.database.selectFrom('purchases').select('id').execute()
    expect(new Set(rows.map(({ id }) => id))).toEqual(ids)
    expect(await listBrokenInvariants(open.database)).toEqual([])
    await open.close()
  }, 240_000)
})

describe('a second server on the same data folder', () => {
  it('gives up with a sentence and does no harm to the first', async () => {
    const server = await start()
    const token = await register(server)
    const before = await buy(server, token, 'before')
    const second = await startServerOnFreePort(environment)
    started.push(second)
    expect(await second.ended).toBe(1)
    const complaint = second.err()
    expect(complaint).toContain(join(folder, 'data', 'database'))
    expect(complaint).toContain(`in use by process ${server.process.process.pid}`)
    expect(complaint.trim().split('\n')).toHaveLength(1)
    const after = await buy(server, token, 'before')
    expect(after.id).toBe(before.id)
    await end(server, 'SIGTERM')
  }, 120_000)
})
