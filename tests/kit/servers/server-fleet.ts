import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { API_BASE } from '#contract/endpoint.ts'
import type { Transaction } from '#contract/shapes.ts'
import type { SeededUser } from '#tests/kit/builders/many-users.ts'
import { type ServerProcess, startServerOnFreePort } from './server-process.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

export type Instance = ServerProcess & { address: string }

export type Reply<Body> = { status: number; retryAfter: string | null; body: Body }

/** Separate server processes that share one PostgreSQL, as an operator runs them. */
export type ServerFleet = {
  /** Starts one more, and waits until it is open. */
  start(environment?: Record<string, string>): Promise<Instance>
  /** Ends all of them, whatever state they are in. */
  close(): Promise<void>
}

/** They sell through the simulated rail, so much that a test never sells out. */
export async function startFleet(databaseUrl: string): Promise<ServerFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-fleet-'))
  const saleFile = join(folder, 'sale.yaml')
  const manyOpen = 'purchases: { expire_after_minutes: 60, open_per_user: 1000 }\n'
  await writeFile(saleFile, manyOpen + SMALL_SALE_FILE.replace('1000\n', '1000000000\n'))
  const started: ServerProcess[] = []
  return {
    async start(environment = {}) {
      const server = await startServerOnFreePort({
        DATABASE_URL: databaseUrl,
        SECRET_KEY: 'a secret key for tests, and for nothing else',
        SALE_FILE: saleFile,
        ...environment,
      })
      started.push(server)
      await server.opened
      return { ...server, address: `http://127.0.0.1:${server.port}` }
    },
    async close() {
      for (const server of started.splice(0)) await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a call, and accepts whatever comes back. Rejects if nothing does. */
export async function callInstance<Body = unknown>(
  { address }: Pick<Instance, 'address'>,
  method: 'GET' | 'POST',
  path: string,
  { user, body }: { user?: Pick<SeededUser, 'as'>; body?: object } = {},
): Promise<Reply<Body>> {
  const reply = await fetch(`${address}${API_BASE}${path}`, {
    method,
    headers: {
      'idempotency-key': randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
      ...(user && { authorization: `Bearer ${user.as.accessToken}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    body: (await reply.json()) as Body,
  }
}

/** Buys for ten dollars. */
export function buyFrom(
  instance: Pick<Instance, 'address'>,
  user: SeededUser,
): Promise<Reply<{ data: Transaction }>> {
  const body = { purchase_amount: 10, purchase_token_id: 'eth' }
  return callInstance(instance, 'POST', '/transactions', { user, body })
}

/** Pays the amount due for a purchase on the simulated chain. */
export function payAt(
  instance: Pick<Instance, 'address'>,
  { payment_address, payment_amount }: Transaction,
): Promise<Reply<unknown>> {
  const body = { address: payment_address, amount: payment_amount }
  return callInstance(instance, 'POST', '/sandbox/payments', { body })
}

export function mineAt(instance: Pick<Instance, 'address'>): Promise<Reply<unknown>> {
  return callInstance(instance, 'POST', '/sandbox/blocks', { body: { count: 2 } })
}
